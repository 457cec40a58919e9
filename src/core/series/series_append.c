/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that extend a series by a value, a run or another series; and the sum of two series. */
#include "series_impl.h"

#include "src/core/base/log.h"

#include <assert.h>

/* How many iterations of one loop are unrolled at a seam. Three make a loop of their own, which the rest then
 * joins. */
#define PEEL_MAX 4

/* A loop of fewer iterations is expanded, because the rules look for three neighbouring instances. */
#define COUNT_MIN 3

static enum refrain_status count_values(struct series *s, uint64_t more)
{
    assert(s->shares == 0);
    if (more > SERIES_LENGTH_MAX - s->length) {
        log_error("a series of more than 2^63 values");
        return REFRAIN_ERR_USAGE;
    }
    s->length += more;
    return REFRAIN_OK;
}

enum refrain_status series_append(struct series *s, int64_t value)
{
    bool changed;
    enum refrain_status status = count_values(s, 1);
    if (status == REFRAIN_OK)
        status = series_put_value(s, (uint64_t)value);
    if (status == REFRAIN_OK)
        status = series_reduce(s, true, &changed);
    return status == REFRAIN_OK ? series_settle(s) : status;
}

static enum refrain_status push(struct series *s, const struct series *from, size_t t, unsigned peels,
                                bool *changed);

/* Append all elements of a series, one after the other. *changed: at least one was joined with the
 * elements before it. */
static enum refrain_status push_all(struct series *s, const struct series *from, unsigned peels,
                                    bool *changed)
{
    enum refrain_status status = REFRAIN_OK;
    *changed = false;
    for (size_t t = 0; t < from->tops.n && status == REFRAIN_OK; t++) {
        bool melted;
        status = push(s, from, t, peels, &melted);
        *changed |= melted;
    }
    return status;
}

/* Append iterations first … end - 1 of element t of `from`, a loop, as if their values had been appended
 * one by one. */
static enum refrain_status push_iterations(struct series *s, const struct series *from, size_t t,
                                           uint64_t first, uint64_t end, unsigned peels, bool *changed)
{
    struct series part = {0};
    enum refrain_status status = REFRAIN_OK;
    *changed = false;
    for (uint64_t i = first; i < end && status == REFRAIN_OK; i++) {
        bool melted;
        series_cut(&part, 0);
        status = series_put_iteration(&part, from, t, i);
        if (status == REFRAIN_OK)
            status = push_all(s, &part, peels, &melted);
        *changed |= status == REFRAIN_OK && melted;
    }
    series_clear(&part);
    return status;
}

/* The loop did not fit after s as a whole. If only its first iterations fit, as in
 *
 *     loop 4 { -1 }   loop 9 { -1 + i }      ->      loop 5 { -1 }   loop 8 { 0 + i }
 *
 * append these first and then the rest, as if all values were appended one by one. A third element would
 * form a loop with the other two anyway. */
static enum refrain_status peel(struct series *s, const struct series *from, size_t t, unsigned peels,
                                bool *changed)
{
    const uint64_t count = from->nodes.items[from->tops.items[t]].n;
    const size_t n_tops = s->tops.n;
    uint64_t done = 0;
    bool melted;

    enum refrain_status status = REFRAIN_OK;
    *changed = false;
    while (status == REFRAIN_OK && !*changed && done < 2) {
        status = push_iterations(s, from, t, done, done + 1, peels / 2, changed);
        done++;
    }
    if (status != REFRAIN_OK)
        return status;
    if (!*changed) {
        series_cut(s, n_tops);
        return series_put_element(s, from, t, 0);
    }
    if (count - done < COUNT_MIN)
        return push_iterations(s, from, t, done, count, peels / 2, &melted);

    struct series rest = {0};
    status = series_put_element(&rest, from, t, done);
    if (status == REFRAIN_OK)
        status = push(s, &rest, 0, peels - 1, &melted);
    series_clear(&rest);
    return status;
}

/* Append element t of `from` to s and reduce. *changed: it was joined with the elements before it. */
static enum refrain_status push(struct series *s, const struct series *from, size_t t, unsigned peels,
                                bool *changed)
{
    const bool loop = series_is_loop(&from->nodes.items[from->tops.items[t]]);
    const size_t n_tops = s->tops.n;
    bool rotated = false;

    enum refrain_status status = series_put_element(s, from, t, 0);
    if (status == REFRAIN_OK)
        status = series_reduce(s, false, changed);
    if (status == REFRAIN_OK && !*changed && loop && peels > 0 && n_tops > 0) {
        series_cut(s, n_tops);
        status = peel(s, from, t, peels, changed);
    }
    if (status == REFRAIN_OK && series_may_rotate(s))
        status = series_reduce(s, true, &rotated);
    *changed |= rotated;
    return status;
}

enum refrain_status series_concat(struct series *s, const struct series *tail)
{
    assert(s->shares == 0);
    assert(s != tail);
    bool changed;
    enum refrain_status status = count_values(s, tail->length);
    if (status == REFRAIN_OK)
        status = push_all(s, tail, PEEL_MAX, &changed);
    return status == REFRAIN_OK ? series_settle(s) : status;
}

enum refrain_status series_append_run(struct series *s, int64_t first, int64_t step, uint64_t count)
{
    assert(s->shares == 0);
    if (count < COUNT_MIN) {
        enum refrain_status status = REFRAIN_OK;
        for (uint64_t i = 0; i < count && status == REFRAIN_OK; i++)
            status = series_append(s, (int64_t)((uint64_t)first + (uint64_t)step * i));
        return status;
    }
    struct series_node nodes[] = {{.n = count, .span = 2}, {.n = (uint64_t)first, .span = 1, .depth = 1}};
    uint64_t coefs[] = {(uint64_t)step};
    uint32_t tops[] = {0};
    const struct series run = {
        .nodes = {nodes, 2, 2}, .coefs = {coefs, 1, 1}, .tops = {tops, 1, 1}, .length = count};
    return series_concat(s, &run);
}

struct series *series_sum(const struct series *a, const struct series *b, int64_t scale)
{
    assert(a->length == b->length);
    struct series *sum = series_create();
    if (!sum)
        return NULL;
    struct series_cursor at_a, at_b;
    series_cursor_start(&at_a, a);
    series_cursor_start(&at_b, b);
    for (;;) {
        int64_t va, vb, step_a, step_b;
        const uint64_t run_a = series_cursor_run(&at_a, &va, &step_a);
        const uint64_t run_b = series_cursor_run(&at_b, &vb, &step_b);
        const uint64_t n = run_a < run_b ? run_a : run_b;
        if (n == 0)
            return sum;
        const uint64_t first = (uint64_t)va + (uint64_t)scale * (uint64_t)vb;
        const uint64_t step = (uint64_t)step_a + (uint64_t)scale * (uint64_t)step_b;
        if (series_append_run(sum, (int64_t)first, (int64_t)step, n) != REFRAIN_OK) {
            series_free(sum);
            return NULL;
        }
        series_cursor_skip(&at_a, n);
        series_cursor_skip(&at_b, n);
    }
}
