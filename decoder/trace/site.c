/* SPDX-License-Identifier: BSD-3-Clause */
#include "site.h"

#include "decoder/util/text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static void put_location(const struct trace *t, const struct frame *frame,
                         const struct source_location *location, struct bytes *out)
{
    const char *slash = location->file ? strrchr(location->file, '/') : NULL;
    if (location->function) {
        text_put_name(out, location->function);
        text_put(out, " (");
    }
    text_put_name(out, !location->file ? t->modules.items[frame->module]
                       : slash         ? slash + 1
                                       : location->file);
    if (location->file)
        text_printf(out, ":%d", location->line);
    else
        text_printf(out, "+0x%" PRIx64, frame->offset);
    if (location->function)
        text_putc(out, ')');
}

/* Writes the innermost `most` locations of the site. */
static void put_locations(const struct trace *t, const struct symbols *s, uint32_t site, size_t most,
                          struct bytes *out)
{
    const struct site *const this = &t->sites.items[site];
    size_t n = 0;
    for (uint32_t i = 0; i < this->n_frames && n < most; i++) {
        const struct source_locations locations = symbols_find(s, &this->frames[i]);
        for (size_t k = 0; k < locations.n && n < most; k++) {
            if (n++ > 0)
                text_put(out, " < ");
            put_location(t, &this->frames[i], &locations.items[k], out);
        }
    }
}

void site_put_text(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out)
{
    assert(site < t->sites.n);
    put_locations(t, s, site, SIZE_MAX, out);
}

/* ---- with callers where they are needed ------------------------------------------------------------ */

/* Writes location number k of the site, the first one without its place in the source if `bare`; nothing if it has fewer. */
static void put_number(const struct trace *t, const struct symbols *s, uint32_t site, size_t k, bool bare,
                       struct bytes *out)
{
    const struct site *this = &t->sites.items[site];
    for (uint32_t i = 0; i < this->n_frames; i++) {
        const struct source_locations locations = symbols_find(s, &this->frames[i]);
        if (k < locations.n && bare && locations.items[k].function)
            text_put_name(out, locations.items[k].function);
        else if (k < locations.n)
            put_location(t, &this->frames[i], &locations.items[k], out);
        if (k < locations.n)
            return;
        k -= locations.n;
    }
}

/* Returns the locations of a site that tell it apart from others: none if it is the only one with its text. */
static const uint32_t *shown_of(const struct symbols *s, uint32_t site, size_t *n)
{
    const struct site_shown *shown = s && s->callers.of_site ? &s->callers.of_site[site] : NULL;
    *n = shown ? shown->n : 0;
    return *n > 0 ? s->callers.numbers.items + shown->first : NULL;
}

/* "left (halo.c:31) < … < main (main.c:7)"; `before` comes first, and nothing if there are none */
static void put_shown(const struct trace *t, const struct symbols *s, uint32_t site, const char *before,
                      struct bytes *out)
{
    size_t n;
    const uint32_t *numbers = shown_of(s, site, &n);
    for (size_t i = 0, last = 0; i < n && !(numbers[i] & SITE_OFFSET); last = numbers[i++]) {
        text_put(out, i == 0 ? before : " < ");
        text_put(out, numbers[i] > last + 1 ? "… < " : "");
        put_number(t, s, site, numbers[i], false, out);
    }
}

void site_put_callers(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out)
{
    size_t n;
    const uint32_t *numbers = shown_of(s, site, &n);
    assert(site < t->sites.n);
    put_shown(t, s, site, " < ", out);
    for (size_t i = 0; i < n; i++) {
        if (numbers[i] & SITE_OFFSET)
            text_printf(out, " +0x%" PRIx64, t->sites.items[site].frames[numbers[i] & ~SITE_OFFSET].offset);
    }
}

void site_put_place(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out)
{
    assert(site < t->sites.n);
    put_locations(t, s, site, 1, out);
}

void site_put_innermost(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out)
{
    site_put_place(t, s, site, out);
    site_put_callers(t, s, site, out);
}

void site_put_call(const struct reader *r, const struct symbols *s, uint32_t site, struct bytes *out)
{
    if (site >= r->trace.sites.n)
        return;
    text_put(out, reader_function(r, site));
    if (r->trace.sites.items[site].n_frames > 0)
        text_put(out, " at ");
    site_put_innermost(&r->trace, s, site, out);
}

void site_put_line(const struct reader *r, const struct symbols *s, uint32_t site, struct bytes *out)
{
    const struct site *this = site < r->trace.sites.n ? &r->trace.sites.items[site] : NULL;
    const struct source_locations l =
        this && this->n_frames > 0 ? symbols_find(s, &this->frames[0]) : (struct source_locations){0};
    if (l.n == 0 || !l.items[0].file) {
        site_put_call(r, s, site, out);
        return;
    }
    const char *slash = strrchr(l.items[0].file, '/');
    text_printf(out, "%s (", reader_function(r, site));
    text_put_name(out, slash ? slash + 1 : l.items[0].file);
    text_printf(out, ":%d", l.items[0].line);
    put_shown(&r->trace, s, site, ", called by ", out);
    text_putc(out, ')');
}

/* ---- two sites ------------------------------------------------------------------------------------ */

static bool is_same(const struct bytes *a, const struct bytes *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->data, b->data, a->n) == 0);
}

/* Writes the first location of two sites that differs; returns its number, or SIZE_MAX if there is none. */
static size_t find_difference(const struct trace *t, const struct symbols *s, const uint32_t *sites,
                              struct bytes *texts)
{
    for (size_t k = 0;; k++) {
        for (size_t i = 0; i < 2; i++) {
            texts[i].n = 0;
            put_number(t, s, sites[i], k, k == 0, &texts[i]);
        }
        if (!is_same(&texts[0], &texts[1]))
            return k;
        if (texts[0].n == 0)
            return SIZE_MAX;
    }
}

/* Makes two texts longer that are alike though the sites differ. Returns false if there is no difference to show. */
static bool tell_apart(const struct reader *r, const struct symbols *s, const uint32_t *sites,
                       struct bytes *lines)
{
    struct bytes texts[2] = {{0}, {0}};
    const size_t k = find_difference(&r->trace, s, sites, texts);
    for (size_t i = 0; i < 2 && k != SIZE_MAX; i++) {
        const bool in_brackets = lines[i].n > 0 && lines[i].data[lines[i].n - 1] == ')';
        if (texts[i].n == 0)
            continue;
        lines[i].n -= in_brackets;
        text_put(&lines[i], in_brackets ? ", " : " (");
        text_put(&lines[i], k == 0 ? "in " : "called by ");
        bytes_put(&lines[i], texts[i].data, texts[i].n);
        text_putc(&lines[i], ')');
    }
    for (size_t i = 0; i < 2; i++) {
        lines[i].failed = lines[i].failed || texts[i].failed;
        bytes_free(&texts[i]);
    }
    return k != SIZE_MAX;
}

void site_put_between(const struct reader *r, const struct symbols *s, uint32_t before, uint32_t after,
                      struct bytes *out)
{
    const uint32_t sites[2] = {before, after};
    struct bytes lines[2] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++)
        site_put_line(r, s, sites[i], &lines[i]);
    const bool alike = before != after && is_same(&lines[0], &lines[1]) && !tell_apart(r, s, sites, lines);
    text_put(out, before == after || alike ? "between one " : "between ");
    bytes_put(out, lines[0].data, lines[0].n);
    text_put(out, before == after ? " and the next" : alike ? " and another " : " and ");
    if (before != after)
        bytes_put(out, lines[1].data, lines[1].n);
    for (size_t i = 0; i < 2; i++) {
        out->failed = out->failed || lines[i].failed;
        bytes_free(&lines[i]);
    }
}

/* ---- JSON ----------------------------------------------------------------------------------------- */

static void put_location_json(const struct trace *t, const struct frame *frame,
                              const struct source_location *location, bool inlined, struct json *j)
{
    json_object(j, NULL);
    json_string(j, "module", t->modules.items[frame->module]);
    json_uint(j, "offset", frame->offset);
    if (location->function)
        json_string(j, "function", location->function);
    if (location->file) {
        json_string(j, "file", location->file);
        json_int(j, "line", location->line);
    }
    if (inlined)
        json_bool(j, "inlined", true);
    json_end(j);
}

void site_put_json(const struct trace *t, const struct symbols *s, uint32_t site, struct json *j,
                   const char *key)
{
    assert(site < t->sites.n);
    const struct site *const this = &t->sites.items[site];
    json_array(j, key);
    for (uint32_t i = 0; i < this->n_frames; i++) {
        const struct source_locations locations = symbols_find(s, &this->frames[i]);
        for (size_t k = 0; k < locations.n; k++)
            put_location_json(t, &this->frames[i], &locations.items[k], k + 1 < locations.n, j);
    }
    json_end(j);
}

/* Is the program an interpreter, such as python3.11? Its script has no debug information. */
static bool is_interpreted(const struct trace *t)
{
    static const char *const names[] = {"python", "pypy",    "ipython", "perl", "ruby", "julia",
                                        "R",      "Rscript", "octave",  "java", "lua",  "node"};
    const char *command = trace_meta(t, "command"), *word = command ? command : "";
    const size_t n = strcspn(word, " ");
    const char *slash = memrchr(word, '/', n), *name = slash ? slash + 1 : word;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(name, names[i], length) == 0 &&
            name + length + strspn(name + length, "0123456789.") == word + n)
            return true;
    }
    return false;
}

void site_put_hint(const struct symbols *s, struct bytes *out)
{
    if (!s || s->frames.n == 0 || is_interpreted(s->trace))
        return;
    for (size_t i = 0; i < s->locations.n; i++) {
        if (s->locations.items[i].line > 0)
            return;
    }
    text_put(out,
             "No lines of the source are known: compile the program with -g, and keep it where it was.\n");
}
