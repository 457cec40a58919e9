/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of call sites that have the same innermost location: what is shown besides. The file is this test program. */
#include "decoder/trace/site.h"
#include "tests/unit/support/this_program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static uint64_t offsets[2]; /* of two calls in one line */
static int line;

__attribute__((noinline)) static void wrapper(void)
{
    offsets[0] = this_program_return_offset(), offsets[1] = this_program_return_offset(), line = __LINE__;
}

/* ---- a trace ----------------------------------------------------------------------------------- */

/* Sites: a function, which of the two calls, and offsets of callers in a module without a file, up to a zero. */
struct example {
    uint32_t function, call;
    uint64_t callers[4];
    const char *text; /* behind "wrapper (test_site_callers.c:41)"; "+": the offset of the call */
};

static struct trace make_trace(const struct example *examples, uint32_t n, bool called)
{
    struct trace t = {0};
    char key[sizeof META_MODULE + sizeof this_program()->build_id + 8];
    uint32_t self, other, index;
    wrapper();
    snprintf(key, sizeof key, META_MODULE "%s self", this_program()->build_id);
    cr_assert_eq(trace_intern_module(&t, "self", &self), REFRAIN_OK);
    cr_assert_eq(trace_intern_module(&t, "other", &other), REFRAIN_OK);
    cr_assert_eq(trace_add_meta(&t, key, "/proc/self/exe"), REFRAIN_OK);
    cr_assert(array_push(&t.shapes, (struct shape){0}));
    for (uint32_t i = 0; i < n; i++) {
        struct frame frames[5] = {{self, offsets[examples[i].call]}};
        uint32_t frame = 1;
        for (; frame < 5 && examples[i].callers[frame - 1] > 0; frame++)
            frames[frame] = (struct frame){other, examples[i].callers[frame - 1]};
        cr_assert_eq(trace_intern_site(&t, &(struct site){examples[i].function, frame, frames}, &index),
                     REFRAIN_OK);
        cr_assert_eq(index, i);
        cr_assert(!called || array_push(&t.shapes.items[0].entries, (struct entry){.site = i}));
    }
    return t;
}

static void expect(const struct example *examples, uint32_t n, bool called)
{
    struct trace t = make_trace(examples, n, called);
    struct symbols s;
    cr_assert_eq(symbols_open(&s, &t, NULL), REFRAIN_OK);
    cr_assert_eq(symbols_look_up_frames(&s), REFRAIN_OK);
    for (uint32_t i = 0; i < n; i++) {
        struct bytes out = {0};
        char text[256], offset[32];
        snprintf(offset, sizeof offset, " +0x%llx", (unsigned long long)offsets[examples[i].call]);
        snprintf(text, sizeof text, "wrapper (test_site_callers.c:%d)%s", line,
                 !called                              ? ""
                 : strcmp(examples[i].text, "+") == 0 ? offset
                                                      : examples[i].text);
        site_put_innermost(&t, &s, i, &out);
        bytes_put_u8(&out, 0);
        cr_expect_str_eq((const char *)out.data, text);
        bytes_free(&out);
    }
    symbols_close(&s);
    trace_free(&t);
}

#define EXPECT(examples, called) expect((examples), sizeof(examples) / sizeof *(examples), (called))

/* ---- tests ------------------------------------------------------------------------------------- */

Test(site_callers, the_only_one_of_its_function)
{
    static const struct example examples[] = {{0, 0, {0x10, 0x20}, ""}, {1, 0, {0x10, 0x30}, ""}};
    EXPECT(examples, true);
}

Test(site_callers, the_first_caller_that_differs)
{
    static const struct example examples[] = {{0, 0, {0x10, 0x30}, " < other+0x10"},
                                              {0, 0, {0x20, 0x30}, " < other+0x20"},
                                              {1, 0, {0x10, 0x20, 0x30}, " < … < other+0x30"},
                                              {1, 0, {0x10, 0x20, 0x40}, " < … < other+0x40"}};
    EXPECT(examples, true);
    EXPECT(examples, false);
}

Test(site_callers, as_many_as_are_needed)
{
    static const struct example examples[] = {{0, 0, {0x10, 0x50, 0x60}, " < other+0x10"},
                                              {0, 0, {0x20, 0x50, 0x60}, " < other+0x20 < … < other+0x60"},
                                              {0, 0, {0x20, 0x50, 0x70}, " < other+0x20 < … < other+0x70"}};
    EXPECT(examples, true);
}

Test(site_callers, fewer_callers_than_another)
{
    static const struct example examples[] = {
        {0, 0, {0}, ""}, {0, 0, {0x10}, " < other+0x10"}, {0, 0, {0x10, 0x20}, " < other+0x10 < other+0x20"}};
    EXPECT(examples, true);
}

Test(site_callers, an_offset_where_no_caller_differs)
{
    static const struct example examples[] = {
        {0, 0, {0}, "+"}, {0, 1, {0}, "+"}, {1, 1, {0x10}, "+"}, {1, 0, {0x10}, "+"}, {2, 0, {0}, ""}};
    EXPECT(examples, true);
}

Test(site_callers, lines_are_short)
{
    static const struct example examples[] = {{0, 0, {0x10, 0x30}, ""}, {0, 0, {0x20, 0x30}, ""}};
    struct reader r = {.trace = make_trace(examples, 2, true)};
    struct symbols s;
    struct bytes out = {0};
    char text[256];
    struct function functions[] = {{.name = (char *)"MPI_Send"}};
    r.trace.functions.functions.items = functions;
    r.trace.functions.functions.n = 1;
    cr_assert_eq(symbols_open(&s, &r.trace, NULL), REFRAIN_OK);
    cr_assert_eq(symbols_look_up_frames(&s), REFRAIN_OK);
    site_put_between(&r, &s, 0, 1, &out);
    bytes_put_u8(&out, 0);
    snprintf(text, sizeof text,
             "between MPI_Send (test_site_callers.c:%d, called by other+0x10) and MPI_Send "
             "(test_site_callers.c:%d, called by other+0x20)",
             line, line);
    cr_expect_str_eq((const char *)out.data, text);
    bytes_free(&out);
    symbols_close(&s);
    r.trace.functions.functions.items = NULL;
    r.trace.functions.functions.n = 0;
    trace_free(&r.trace);
}
