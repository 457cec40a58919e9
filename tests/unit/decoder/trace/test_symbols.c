/* SPDX-License-Identifier: BSD-3-Clause */
/* Looking up call sites in the file of this test program. */
#include "decoder/trace/site.h"
#include "tests/unit/support/this_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- this program ---------------------------------------------------------------------------- */

static uint64_t known_offset;
static int known_line;

__attribute__((noinline)) static void known_function(void)
{
    known_offset = this_program_return_offset(), known_line = __LINE__;
}

/* ---- a trace of it --------------------------------------------------------------------------- */

/* One site with two frames, one of "self" and one of a module without a file. */
static struct trace make_trace(const char *id, const char *path)
{
    struct trace t = {0};
    char key[sizeof META_MODULE + sizeof this_program()->build_id + 8];
    uint32_t self, other, index;
    known_function();
    snprintf(key, sizeof key, META_MODULE "%s self", id ? id : this_program()->build_id);
    cr_assert_eq(trace_intern_module(&t, "other", &other), REFRAIN_OK);
    cr_assert_eq(trace_intern_module(&t, "self", &self), REFRAIN_OK);
    cr_assert_eq(trace_add_meta(&t, key, path), REFRAIN_OK);
    struct frame frames[] = {{self, known_offset}, {other, 0x10}};
    cr_assert_eq(trace_intern_site(&t, &(struct site){0, 2, frames}, &index), REFRAIN_OK);
    return t;
}

static void expect(const struct trace *t, const char *directory, const char *text)
{
    struct symbols s;
    struct bytes out = {0};
    cr_assert_eq(symbols_open(&s, t, directory), REFRAIN_OK);
    cr_assert_eq(symbols_look_up_frames(&s), REFRAIN_OK);
    site_put_text(t, &s, 0, &out);
    bytes_put_u8(&out, 0);
    cr_assert_str_eq((const char *)out.data, text);
    bytes_free(&out);
    symbols_close(&s);
}

static const char *known(void)
{
    static char text[128];
    snprintf(text, sizeof text, "known_function (test_symbols.c:%d) < other+0x10", known_line);
    return text;
}

static const char *unknown(void)
{
    static char text[128];
    snprintf(text, sizeof text, "self+0x%llx < other+0x10", (unsigned long long)known_offset);
    return text;
}

Test(symbols, places_of_the_build_that_ran)
{
    struct trace t = make_trace(NULL, "/proc/self/exe");
    expect(&t, NULL, known());
    expect(&t, "/nowhere", known());
    trace_free(&t);
}

Test(symbols, a_directory_by_name_and_by_file)
{
    char directory[] = "/tmp/refrain.symbols.XXXXXX", path[64], program[4096];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    cr_assert(n > 0 && mkdtemp(directory));
    program[n] = '\0';
    static const char *const names[] = {"self", "file"};
    for (unsigned i = 0; i < 2; i++) {
        struct trace t = make_trace(NULL, "/nowhere/file");
        expect(&t, directory, unknown());
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        cr_assert_eq(symlink(program, path), 0);
        expect(&t, directory, known());
        unlink(path);
        trace_free(&t);
    }
    rmdir(directory);
}

Test(symbols, nothing_of_another_build)
{
    static const char *const ids[] = {"0011", "-", "", "0123456789abcdef0123456789abcdef01234567"};
    for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        struct trace t = make_trace(ids[i], "/proc/self/exe");
        expect(&t, NULL, unknown());
        trace_free(&t);
    }
}

Test(symbols, nothing_of_several_builds)
{
    struct trace t = make_trace(NULL, "/proc/self/exe");
    cr_assert_eq(trace_add_meta(&t, META_MODULE "0011 self", "/proc/self/exe"), REFRAIN_OK);
    expect(&t, NULL, unknown());
    trace_free(&t);
}

Test(symbols, nothing_of_what_is_no_program)
{
    static const char *const paths[] = {"/nowhere", "/dev/null", "/", "", "/proc/self/maps"};
    for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct trace t = make_trace(NULL, paths[i]);
        expect(&t, NULL, unknown());
        trace_free(&t);
    }
}

Test(symbols, offsets_outside_of_the_file)
{
    static const uint64_t offsets[] = {0, 1, UINT64_MAX, UINT64_C(1) << 40};
    struct trace t = make_trace(NULL, "/proc/self/exe");
    for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        known_offset = t.sites.items[0].frames[0].offset = offsets[i];
        expect(&t, NULL, unknown());
    }
    trace_free(&t);
}
