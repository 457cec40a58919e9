/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_mode.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/base/log.h"

#define UNIT_MOST   UINT64_C(1000000000000) /* longest quantum: a thousand seconds */
#define BASE_USUAL  1200000
#define BOUND_USUAL 1000 /* ns */

/* ---- texts ----------------------------------------------------------------------------------- */

/* Parse digits with at most `places` after a point: *number is the value times 10^places. *at moves
 * past them. */
static bool parse_decimal(const char **at, unsigned places, uint64_t most, uint64_t *number)
{
    const char *s = *at;
    uint64_t v = 0;
    bool point = false, digits = false;
    for (; (*s >= '0' && *s <= '9') || (*s == '.' && !point); s++) {
        if (*s == '.') {
            point = true;
            continue;
        }
        if ((point && places == 0) || v > most)
            return false;
        places -= point;
        digits = true;
        v = v * 10 + (uint64_t)(*s - '0');
    }
    for (; places > 0 && v <= most; places--)
        v *= 10;
    *at = s;
    *number = v;
    return digits && v <= most;
}

static bool parse_base(const char **at, uint32_t *base)
{
    uint64_t number;
    if (!parse_decimal(at, 6, TIME_BASE_MOST, &number) || number < TIME_BASE_LEAST)
        return false;
    *base = (uint32_t)number;
    return true;
}

/* Parse "10us", up to the end of the text or the next colon. *at moves past it. */
static bool parse_duration(const char **at, uint64_t most, uint64_t *ns)
{
    static const struct {
        const char *name;
        unsigned places;
    } units[] = {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const char *end = *at;
        const size_t n = strlen(units[i].name);
        if (parse_decimal(&end, units[i].places, most, ns) && strncmp(end, units[i].name, n) == 0 &&
            (!end[n] || end[n] == ':')) {
            *at = end + n;
            return true;
        }
    }
    return false;
}

/* The contents of REFRAIN_TIMING. */
struct words {
    uint64_t unit;
    uint32_t base; /* base of the first grid, if unit is 0 */
    uint64_t floor, bound;
};

/* Parse ":BASE:FLOOR:BOUND", of which the last parts may be missing. */
static bool parse_lossy(const char *text, struct words *w)
{
    *w = (struct words){.base = BASE_USUAL};
    if (*text == ':' && !(text++, parse_base(&text, &w->base)))
        return false;
    if (*text == ':' && !(text++, parse_duration(&text, TIME_FLOOR_MOST, &w->floor)))
        return false;
    /* The bound covers the error of durations below the floor, and thus of entry times. */
    const uint64_t least = (w->floor + 1) / 2;
    w->bound = least > BOUND_USUAL ? least : BOUND_USUAL;
    if (*text == ':' && !(text++, parse_duration(&text, TIME_BOUND_MOST, &w->bound)))
        return false;
    return !*text && w->bound > 0 && w->bound >= least;
}

static bool parse_text(const char *text, struct words *w)
{
    static const char quantum[] = "quantum:", lossy[] = "lossy";
    *w = (struct words){.unit = 1};
    if (strcmp(text, "lossless") == 0)
        return true;
    if (strncmp(text, lossy, strlen(lossy)) == 0)
        return parse_lossy(text + strlen(lossy), w);
    if (strncmp(text, quantum, strlen(quantum)) != 0)
        return false;
    text += strlen(quantum);
    return parse_duration(&text, UNIT_MOST, &w->unit) && !*text && w->unit > 0;
}

/* Parse "MPI_Allreduce=1.05", one of several between commas. *at moves to the next one, or becomes
 * NULL. */
static bool parse_named(const char **at, const char **name, size_t *n, uint32_t *base)
{
    *name = *at;
    *n = strcspn(*at, "=,");
    const char *end = *at + *n;
    if (*n == 0 || *end++ != '=' || !parse_base(&end, base) || (*end && *end != ','))
        return false;
    *at = *end ? end + 1 : NULL;
    return true;
}

bool time_mode_is_sound(const char *text)
{
    struct words w;
    return parse_text(text, &w);
}

bool time_bases_are_sound(const char *text)
{
    const char *name;
    size_t n, count = 1;
    uint32_t base;
    while (text && ++count <= TIME_GRIDS_MAX) {
        if (!parse_named(&text, &name, &n, &base))
            return false;
    }
    return count <= TIME_GRIDS_MAX;
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* Add a grid; `name` is NULL for the first one, else the function that it is for. */
static enum refrain_status add_grid(struct time_mode *m, uint32_t base, uint64_t floor, uint64_t bound,
                                    const char *name, size_t n)
{
    if (!array_reserve(&m->grids, 1) || !array_reserve(&m->functions, 1))
        return REFRAIN_ERR_MEMORY;
    char *copy = name ? strndup(name, n) : NULL;
    if (name && !copy) {
        log_error("out of memory: the name of a function");
        return REFRAIN_ERR_MEMORY;
    }
    const enum refrain_status status = time_grid_create(&m->grids.items[m->grids.n], base, floor, bound);
    if (status != REFRAIN_OK) {
        free(copy);
        return status;
    }
    m->grids.n++;
    if (name)
        m->functions.items[m->functions.n++] = copy;
    return REFRAIN_OK;
}

enum refrain_status time_mode_parse(const char *text, const char *bases, struct time_mode *out)
{
    assert(time_mode_is_sound(text) && (!bases || time_bases_are_sound(bases)));
    struct words w;
    enum refrain_status status = REFRAIN_OK;
    if (!parse_text(text, &w))
        return REFRAIN_ERR_USAGE;
    struct time_mode m = {.unit = w.unit};
    if (m.unit == 0)
        status = add_grid(&m, w.base, w.floor, w.bound, NULL, 0);
    while (m.unit == 0 && bases && status == REFRAIN_OK) {
        const char *name;
        size_t n;
        status = REFRAIN_ERR_USAGE;
        if (parse_named(&bases, &name, &n, &w.base))
            status = add_grid(&m, w.base, w.floor, w.bound, name, n);
    }
    if (status == REFRAIN_OK)
        *out = m;
    else
        time_mode_free(&m);
    return status;
}

void time_mode_free(struct time_mode *m)
{
    for (size_t i = 0; i < m->grids.n; i++)
        time_grid_free(&m->grids.items[i]);
    for (size_t i = 0; i < m->functions.n; i++)
        free(m->functions.items[i]);
    array_free(&m->grids);
    array_free(&m->functions);
    *m = (struct time_mode){0};
}

bool time_mode_is_equal(const struct time_mode *a, const struct time_mode *b)
{
    bool equal = a->unit == b->unit && a->grids.n == b->grids.n;
    for (size_t i = 0; i < a->grids.n && equal; i++)
        equal = a->grids.items[i].base == b->grids.items[i].base &&
                a->grids.items[i].floor == b->grids.items[i].floor &&
                a->grids.items[i].bound == b->grids.items[i].bound;
    for (size_t i = 0; i < a->functions.n && equal; i++)
        equal = strcmp(a->functions.items[i], b->functions.items[i]) == 0;
    return equal;
}

uint32_t time_mode_grid(const struct time_mode *m, const char *function)
{
    for (size_t i = m->functions.n; i-- > 0;) {
        if (strcmp(m->functions.items[i], function) == 0)
            return (uint32_t)i + 1;
    }
    return 0;
}

void time_mode_encode(const struct time_mode *m, struct bytes *out)
{
    bytes_put_uint(out, m->unit);
    if (m->unit > 0)
        return;
    bytes_put_uint(out, m->grids.items[0].bound);
    bytes_put_uint(out, m->grids.items[0].floor);
    bytes_put_uint(out, m->grids.items[0].base);
    bytes_put_uint(out, m->functions.n);
    for (size_t i = 0; i < m->functions.n; i++) {
        bytes_put_string(out, m->functions.items[i], strlen(m->functions.items[i]));
        bytes_put_uint(out, m->grids.items[i + 1].base);
    }
}

static bool get_base(struct bytes_reader *in, uint32_t *base)
{
    const uint64_t number = bytes_get_uint(in);
    *base = (uint32_t)number;
    return number >= TIME_BASE_LEAST && number <= TIME_BASE_MOST;
}

static enum refrain_status decode_grids(struct bytes_reader *in, struct time_mode *m)
{
    const uint64_t bound = bytes_get_uint(in), floor = bytes_get_uint(in);
    uint32_t base;
    if (!get_base(in, &base) || bound < 1 || bound > TIME_BOUND_MOST || floor > 2 * bound)
        return REFRAIN_ERR_FORMAT;
    enum refrain_status status = add_grid(m, base, floor, bound, NULL, 0);
    const size_t n = bytes_get_count(in, 2);
    if (n >= TIME_GRIDS_MAX)
        return REFRAIN_ERR_FORMAT;
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        char *name = bytes_get_string(in);
        status = name && get_base(in, &base) ? add_grid(m, base, floor, bound, name, strlen(name))
                                             : REFRAIN_ERR_FORMAT;
        free(name);
    }
    return status;
}

enum refrain_status time_mode_decode(struct bytes_reader *in, struct time_mode *out)
{
    struct time_mode m = {.unit = bytes_get_uint(in)};
    enum refrain_status status = m.unit > UNIT_MOST ? REFRAIN_ERR_FORMAT : REFRAIN_OK;
    if (status == REFRAIN_OK && m.unit == 0)
        status = decode_grids(in, &m);
    if (status == REFRAIN_OK && in->failed)
        status = REFRAIN_ERR_FORMAT;
    if (status == REFRAIN_OK)
        *out = m;
    else
        time_mode_free(&m);
    return status;
}
