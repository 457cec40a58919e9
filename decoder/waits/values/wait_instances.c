/* SPDX-License-Identifier: BSD-3-Clause */
#include "wait_instances.h"

#include <stdlib.h>

static uint64_t length_of(const struct wait_instance *i)
{
    return i->end - i->begin;
}

/* Longest first; with equal length, the earlier one, then that of the lower rank. */
static int by_length(const void *a, const void *b)
{
    const struct wait_instance *x = a, *y = b;
    if (length_of(x) != length_of(y))
        return length_of(x) > length_of(y) ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->call.rank < y->call.rank ? -1 : x->call.rank > y->call.rank;
}

static void swap(struct wait_instance *a, struct wait_instance *b)
{
    const struct wait_instance t = *a;
    *a = *b;
    *b = t;
}

static void sift_down(struct wait_instance *items, size_t n)
{
    for (size_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && by_length(&items[child + 1], &items[child]) > 0)
            child++;
        if (by_length(&items[child], &items[i]) <= 0)
            return;
        swap(&items[child], &items[i]);
    }
}

bool wait_instances_add(struct wait_instances *w, const struct wait_instance *instance)
{
    if (w->heap.n == w->most) {
        if (w->most > 0 && by_length(instance, &w->heap.items[0]) < 0) {
            w->heap.items[0] = *instance;
            sift_down(w->heap.items, w->heap.n);
        }
        return true;
    }
    if (!array_push(&w->heap, *instance))
        return false;
    for (size_t i = w->heap.n - 1; i > 0; i = (i - 1) / 2) {
        if (by_length(&w->heap.items[i], &w->heap.items[(i - 1) / 2]) <= 0)
            break;
        swap(&w->heap.items[i], &w->heap.items[(i - 1) / 2]);
    }
    return true;
}

void wait_instances_sort(struct wait_instances *w)
{
    if (w->heap.n > 0)
        qsort(w->heap.items, w->heap.n, sizeof *w->heap.items, by_length);
}
