/* SPDX-License-Identifier: BSD-3-Clause */
#include "spans.h"

#include <stdlib.h>

static int by_begin(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

static bool is_heavier(const struct span *a, const struct span *b)
{
    return a->weight != b->weight ? a->weight > b->weight : by_begin(a, b) < 0;
}

/* A heap of spans that have begun, the heaviest on top. */
struct heap {
    const struct span **items;
    size_t n;
};

static void push(struct heap *h, const struct span *s)
{
    size_t at = h->n++;
    for (; at > 0 && is_heavier(s, h->items[(at - 1) / 2]); at = (at - 1) / 2)
        h->items[at] = h->items[(at - 1) / 2];
    h->items[at] = s;
}

static void pop(struct heap *h)
{
    const struct span *last = h->items[--h->n];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < h->n) {
        child += child + 1 < h->n && is_heavier(h->items[child + 1], h->items[child]);
        if (!is_heavier(h->items[child], last))
            break;
        h->items[at] = h->items[child];
        at = child;
    }
    h->items[at] = last;
}

/* Adds a span, or extends the last one if it goes on. */
static bool put(struct spans *out, uint64_t from, uint64_t to, const struct span *of)
{
    struct span *last = out->n > 0 ? &out->items[out->n - 1] : NULL;
    if (last && last->of == of->of && last->to == from) {
        last->to = to;
        return true;
    }
    return array_push(out, ((struct span){from, to, of->weight, of->of}));
}

bool spans_separate(struct spans *s)
{
    struct heap h = {.items = calloc(s->n + 1, sizeof *h.items)};
    struct spans out = {0};
    bool ok = h.items;
    uint64_t now = 0;
    if (s->n > 0)
        qsort(s->items, s->n, sizeof *s->items, by_begin);
    for (size_t next = 0; ok && (next < s->n || h.n > 0);) {
        if (h.n == 0)
            now = s->items[next].from;
        for (; next < s->n && s->items[next].from <= now; next++)
            push(&h, &s->items[next]);
        const struct span *top = h.items[0];
        if (top->to <= now) {
            pop(&h);
            continue;
        }
        const uint64_t to = next < s->n && s->items[next].from < top->to ? s->items[next].from : top->to;
        ok = put(&out, now, to, top);
        now = to;
    }
    free(h.items);
    if (ok) {
        array_free(s);
        *s = out;
    } else {
        array_free(&out);
    }
    return ok;
}
