/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_ready.h"

#include "src/core/base/bisect.h"

#include <stdlib.h>
#include <string.h>

struct ready ready_of(const struct sets *s, uint32_t number)
{
    const struct node_set *set = &s->items.items[number];
    const struct construct *first = s->nodes.items[set->nodes.items[0]].construct;
    struct ready out = {
        .set = number, .first = set->nodes.items[0], .depth = first->depth, .size = set->nodes.n};
    if (construct_is_loop(first))
        return out;
    out.act = &first->acts[0];
    /* for a message the send, so that all messages are alike */
    if (out.size > 1 && s->b->channels->templates[out.act->template].part == CHANNEL_RECEIVE)
        out.act = &s->nodes.items[set->nodes.items[1]].construct->acts[0];
    return out;
}

/* Returns the number of leading numbers that name processes: the process and its partner. */
static uint32_t head_of(const struct ready *r)
{
    return r->act->n < 2 ? r->act->n : 2;
}

static int compare_numbers(const struct ready *x, const struct ready *y, uint32_t from, uint32_t end)
{
    for (size_t w = (size_t)from * (x->depth + 1); w < (size_t)end * (x->depth + 1); w++) {
        if (x->act->words[w] != y->act->words[w])
            return x->act->words[w] < y->act->words[w] ? -1 : 1;
    }
    return 0;
}

static int compare_templates(const struct ready *x, const struct ready *y)
{
    if (!x->act || !y->act)
        return x->act ? -1 : y->act ? 1 : 0;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->act->template <y->act->template ? -1 : x->act->template > y->act->template;
}

/* Compares everything except the processes. */
static int compare_kinds(const struct ready *x, const struct ready *y)
{
    const int templates = compare_templates(x, y);
    return templates || !x->act ? templates : compare_numbers(x, y, head_of(x), x->act->n);
}

static int compare(const void *a, const void *b)
{
    const struct ready *x = a, *y = b;
    int order = compare_kinds(x, y);
    if (order == 0 && x->act)
        order = compare_numbers(x, y, 0, head_of(x));
    return order ? order : x->first < y->first ? -1 : x->first > y->first;
}

/* ---- the set --------------------------------------------------------------------------------- */

void ready_set_free(struct ready_set *p)
{
    for (size_t i = 0; i < p->batches.n; i++)
        array_free(&p->batches.items[i]);
    array_free(&p->batches);
}

/* Returns the first batch whose sets do not come before this set. */
static size_t find_batch(const struct ready_set *p, const struct ready *r)
{
    return BISECT(i, p->batches.n, compare_kinds(&p->batches.items[i].items[0], r) < 0);
}

bool ready_set_put(struct ready_set *p, struct ready r)
{
    const size_t at = find_batch(p, &r);
    struct ready_list fresh = {0};
    if (at < p->batches.n && compare_kinds(&p->batches.items[at].items[0], &r) == 0)
        return array_push(&p->batches.items[at], r);
    if (!array_reserve(&p->batches, 1) || !array_push(&fresh, r))
        return false;
    memmove(&p->batches.items[at + 1], &p->batches.items[at], (p->batches.n++ - at) * sizeof fresh);
    p->batches.items[at] = fresh;
    return true;
}

/* Sets often come in order. */
static bool take(struct ready_list *batch, struct ready_list *out)
{
    const bool ok = array_reserve(out, batch->n);
    size_t sorted = 1;
    while (sorted < batch->n && compare(&batch->items[sorted - 1], &batch->items[sorted]) <= 0)
        sorted++;
    if (sorted < batch->n)
        qsort(batch->items, batch->n, sizeof *batch->items, compare);
    for (size_t i = 0; i < batch->n && ok; i++)
        out->items[out->n++] = batch->items[i];
    array_free(batch);
    return ok;
}

bool ready_set_next(struct ready_set *p, struct ready_list *out)
{
    bool ok = true;
    for (size_t i = 0; i < p->batches.n; i++)
        ok = take(&p->batches.items[i], out) && ok;
    p->batches.n = 0;
    return ok;
}

bool ready_set_next_batch(struct ready_set *p, struct ready_list *out)
{
    size_t best = 0;
    for (size_t i = 1; i < p->batches.n; i++)
        best = p->batches.items[i].n > p->batches.items[best].n ? i : best;
    if (p->batches.n == 0)
        return true;
    const bool ok = take(&p->batches.items[best], out);
    memmove(&p->batches.items[best], &p->batches.items[best + 1],
            (--p->batches.n - best) * sizeof *p->batches.items);
    return ok;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Do the tags of c continue the step from a to b? */
static bool is_run(const struct ready *a, const struct ready *b, const struct ready *c)
{
    for (size_t w = 0; w < (size_t)a->act->n * (a->depth + 1); w++) {
        if (c->act->words[w] - b->act->words[w] != b->act->words[w] - a->act->words[w])
            return false;
    }
    return true;
}

size_t ready_lines(const struct ready *items, size_t n)
{
    size_t lines = 0;
    bool same = true, run = true; /* what the current line may be */
    for (size_t i = 0, first = 0; i < n; i++) {
        const bool template = i > first && items[i].act && compare_templates(&items[i - 1], &items[i]) == 0;
        same = template && same && compare_kinds(&items[i - 1], &items[i]) == 0;
        run = template && run && (i < first + 2 || is_run(&items[i - 2], &items[i - 1], &items[i]));
        if (same || run)
            continue;
        lines++;
        first = i;
        same = run = true;
    }
    return lines;
}
