/* SPDX-License-Identifier: BSD-3-Clause */
#include "condition.h"

#include "decoder/loops/loop_text.h"
#include "decoder/util/text.h"
#include "src/core/base/order.h"

#include <stdlib.h>
#include <string.h>

/* A condition has at most this many coordinates. */
#define AXES LATTICE_DIMS

/* The values of some processes in one coordinate. */
struct values {
    uint32_t *items; /* ascending, distinct */
    size_t n;
};

struct question {
    const struct logical *logical;
    struct process_set all;
    const bool *chosen; /* by place in `all` */
    unsigned n_axes;
    bool inverted; /* the question is about the processes that are not chosen */
    struct values all_values[AXES], values[AXES];
};

static bool is_asked(const struct question *q, uint32_t i)
{
    return q->chosen[i] != q->inverted;
}

static uint32_t coordinate(const struct question *q, uint32_t i, unsigned axis)
{
    return compass_coordinates(q->logical->compass, logical_rank(q->logical, q->all.items[i]))[axis];
}

/* ---- sets of values -------------------------------------------------------------------------- */

static bool is_sorted(const struct values *v)
{
    size_t i = 1;
    while (i < v->n && v->items[i - 1] <= v->items[i])
        i++;
    return i >= v->n;
}

/* Ranks are sorted already. */
static void sort(struct values *v)
{
    size_t n = 0;
    if (!is_sorted(v))
        qsort(v->items, v->n, sizeof *v->items, order_u32);
    for (size_t i = 0; i < v->n; i++) {
        if (n == 0 || v->items[n - 1] != v->items[i])
            v->items[n++] = v->items[i];
    }
    v->n = n;
}

static bool has(const struct values *v, uint32_t value)
{
    return bsearch(&value, v->items, v->n, sizeof value, order_u32) != NULL;
}

static bool project(struct question *q, unsigned axis, bool all, struct values *out)
{
    *out = (struct values){.items = malloc((q->all.n + 1) * sizeof *out->items)};
    for (uint32_t i = 0; out->items && i < q->all.n; i++) {
        if (all || is_asked(q, i))
            out->items[out->n++] = coordinate(q, i, axis);
    }
    if (out->items)
        sort(out);
    return out->items != NULL;
}

/* Replaces the values by the other values of `all`. */
static void invert(const struct values *all, struct values *v)
{
    struct values out = {.items = malloc((all->n + 1) * sizeof *out.items)};
    for (size_t i = 0; out.items && i < all->n; i++) {
        if (!has(v, all->items[i]))
            out.items[out.n++] = all->items[i];
    }
    free(v->items);
    *v = out;
}

/* ---- one coordinate -------------------------------------------------------------------------- */

/* Returns the step if the values are every second, third … of all values; 0 if not. */
static uint32_t find_step(const struct values *all, const struct values *v)
{
    const uint32_t step = v->items[1] - v->items[0];
    bool fits = step == 2 || (step > 2 && v->n > 2);
    for (size_t i = 0; i < all->n && fits; i++)
        fits = (all->items[i] % step == v->items[0] % step) == has(v, all->items[i]);
    return fits ? step : 0;
}

static void put_values(const struct values *v, struct bytes *out)
{
    text_put(out, " in ");
    loop_put_ranks(v->items, v->n, out);
}

/* Writes "x > 0" for these values among all. */
static void put_axis(const char *name, const struct values *all, const struct values *v, struct bytes *out)
{
    size_t first = 0, missing = 0;
    while (all->items[first] != v->items[0])
        first++;
    while (missing < all->n && has(v, all->items[missing]))
        missing++;
    const bool in_a_row = all->items[first + v->n - 1] == v->items[v->n - 1];
    if (v->n == 1)
        text_printf(out, "%s == %u", name, v->items[0]);
    else if (in_a_row && first + v->n == all->n)
        text_printf(out, "%s > %u", name, all->items[first - 1]);
    else if (in_a_row && first == 0)
        text_printf(out, "%s < %u", name, all->items[v->n]);
    else if (in_a_row)
        text_printf(out, "%u <= %s <= %u", v->items[0], name, v->items[v->n - 1]);
    else if (v->n + 1 == all->n)
        text_printf(out, "%s != %u", name, all->items[missing]);
    else if (find_step(all, v) > 0)
        text_printf(out, "%s %% %u == %u", name, find_step(all, v), v->items[0] % find_step(all, v));
    else {
        text_put(out, name);
        put_values(v, out);
    }
}

/* ---- all coordinates ------------------------------------------------------------------------- */

/* Finds the processes that have one of the values in each coordinate: `inside`, by place in `all`.
 * Returns whether these are exactly the processes of the question. */
static bool find_product(const struct question *q, bool *inside)
{
    bool same = true;
    for (uint32_t i = 0; i < q->all.n; i++) {
        inside[i] = true;
        for (unsigned axis = 0; axis < q->n_axes && inside[i]; axis++)
            inside[i] = has(&q->values[axis], coordinate(q, i, axis));
        same = same && inside[i] == is_asked(q, i);
    }
    return same;
}

static bool project_all(struct question *q, bool all, struct values *out)
{
    bool ok = true;
    for (unsigned axis = 0; axis < q->n_axes; axis++)
        ok = project(q, axis, all, &out[axis]) && ok;
    return ok;
}

static void free_values(const struct question *q, struct values *values)
{
    for (unsigned axis = 0; axis < q->n_axes; axis++)
        free(values[axis].items);
}

/* Writes "x > 0 and y == 1", or for an inverted question "x == 0 or y != 1". Returns how many
 * coordinates it names. */
static unsigned put_product(struct question *q, struct bytes *out)
{
    struct bytes name = {0};
    unsigned n = 0;
    for (unsigned axis = 0; axis < q->n_axes && !out->failed; axis++) {
        struct values *v = &q->values[axis];
        const struct values *all = &q->all_values[axis];
        if (v->n == all->n)
            continue;
        if (q->inverted)
            invert(all, v);
        name.n = 0;
        candidate_put_axis(axis, &name);
        bytes_put_u8(&name, '\0');
        if (name.failed || !v->items) {
            out->failed = true;
            break;
        }
        text_put(out, n++ == 0 ? "" : q->inverted ? " or " : " and ");
        put_axis((const char *)name.data, all, v, out);
    }
    bytes_free(&name);
    return n;
}

static bool try_product(struct question *q, struct bytes *out)
{
    bool *inside = calloc(q->all.n + 1, sizeof *inside);
    const bool ok = inside && project_all(q, false, q->values), fits = ok && find_product(q, inside);
    out->failed = out->failed || !ok;
    if (fits)
        put_product(q, out);
    free_values(q, q->values);
    free(inside);
    return fits;
}

static bool put_rest(const struct question *q, const bool *inside, struct bytes *out);

/* Writes "y > 0 and (x == 1 or z == 2)": a condition that all of them satisfy, and then a
 * condition among the processes that satisfy it. */
static bool try_restricted(struct question *q, struct bytes *out)
{
    bool *inside = calloc(q->all.n + 1, sizeof *inside), done = false;
    const size_t before = out->n;
    const bool ok = inside && project_all(q, false, q->values);
    out->failed = out->failed || !ok;
    if (ok) {
        find_product(q, inside);
        if (put_product(q, out) > 0)
            done = put_rest(q, inside, out);
        if (!done)
            out->n = before;
    }
    free_values(q, q->values);
    free(inside);
    return done;
}

/* Tries conditions like "x == y". */
static bool try_relation(const struct question *q, struct bytes *out)
{
    static const char *const words[] = {"==", "!=", "<", ">", "<=", ">="};
    for (unsigned a = 0; a < q->n_axes; a++)
        for (unsigned b = a + 1; b < q->n_axes; b++)
            for (unsigned w = 0; w < sizeof words / sizeof words[0]; w++) {
                bool fits = true;
                for (uint32_t i = 0; i < q->all.n && fits; i++) {
                    const uint32_t x = coordinate(q, i, a), y = coordinate(q, i, b);
                    const bool holds[] = {x == y, x != y, x<y, x> y, x <= y, x >= y};
                    fits = holds[w] == q->chosen[i];
                }
                if (!fits)
                    continue;
                candidate_put_axis(a, out);
                text_printf(out, " %s ", words[w]);
                candidate_put_axis(b, out);
                return true;
            }
    return false;
}

static bool try_coordinates(struct question *q, struct bytes *out)
{
    const bool ok = project_all(q, true, q->all_values);
    bool done = false;
    out->failed = out->failed || !ok;
    if (ok && q->n_axes > 0) {
        done = try_product(q, out);
        q->inverted = true;
        done = done || try_product(q, out);
        q->inverted = false;
        done = done || try_relation(q, out) || try_restricted(q, out);
    }
    free_values(q, q->all_values);
    return done;
}

/* Asks the same question for the processes that are inside. */
static bool put_rest(const struct question *q, const bool *inside, struct bytes *out)
{
    uint32_t *items = malloc((q->all.n + 1) * sizeof *items), n = 0;
    bool *chosen = calloc(q->all.n + 1, sizeof *chosen), done = false;
    out->failed = out->failed || !items || !chosen;
    for (uint32_t i = 0; items && chosen && i < q->all.n; i++) {
        if (!inside[i])
            continue;
        items[n] = q->all.items[i];
        chosen[n++] = q->chosen[i];
    }
    if (items && chosen) {
        struct question rest = {
            .logical = q->logical, .all = {items, n}, .chosen = chosen, .n_axes = q->n_axes};
        text_put(out, " and (");
        done = try_coordinates(&rest, out);
        text_putc(out, ')');
    }
    free(items);
    free(chosen);
    return done;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static bool put_ranks(const struct logical *l, struct process_set these, struct process_set all,
                      struct bytes *out)
{
    struct values v = {.items = malloc((these.n + 1) * sizeof *v.items)};
    struct values of_all = {.items = malloc((all.n + 1) * sizeof *v.items)};
    const bool ok = v.items && of_all.items;
    for (uint32_t i = 0; ok && i < these.n; i++)
        v.items[v.n++] = logical_rank(l, these.items[i]);
    for (uint32_t i = 0; ok && i < all.n; i++)
        of_all.items[of_all.n++] = logical_rank(l, all.items[i]);
    if (ok) {
        sort(&v);
        sort(&of_all);
        put_axis("rank", &of_all, &v, out);
    }
    free(v.items);
    free(of_all.items);
    return ok;
}

static unsigned count_axes(const struct logical *l, struct process_set all)
{
    const struct compass *c = l->compass;
    for (uint32_t i = 0; c->lattice && i < all.n; i++) {
        if (!compass_coordinates(c, logical_rank(l, all.items[i])))
            return 0;
    }
    return c->lattice ? c->lattice->n_dims : 0;
}

void condition_put(const struct logical *l, struct process_set these, struct process_set all,
                   struct bytes *out)
{
    if (these.n == all.n)
        return;
    if (these.n == 1 && !l->compass->lattice) {
        text_printf(out, "rank == %u", logical_rank(l, these.items[0]));
        return;
    }
    bool *chosen = calloc(all.n + 1, sizeof *chosen), ok = chosen != NULL;
    for (uint32_t i = 0, k = 0; ok && i < all.n && k < these.n; i++) {
        chosen[i] = all.items[i] == these.items[k];
        k += chosen[i];
    }
    struct question q = {.logical = l, .all = all, .chosen = chosen, .n_axes = count_axes(l, all)};
    if (ok && !try_coordinates(&q, out))
        ok = put_ranks(l, these, all, out);
    free(chosen);
    out->failed = out->failed || !ok;
}
