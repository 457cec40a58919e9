/* SPDX-License-Identifier: BSD-3-Clause */
#include "bins.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum refrain_status bins_create(struct bins *b, uint32_t n_lines, uint32_t n, uint64_t from)
{
    assert(n >= 2 && n % 2 == 0);
    struct bin *items = calloc((size_t)n_lines * n + 1, sizeof *items);
    if (!items) {
        log_error("out of memory: %" PRIu32 " lines of %" PRIu32 " bins", n_lines, n);
        return REFRAIN_ERR_MEMORY;
    }
    *b = (struct bins){.from = from, .n = n, .n_lines = n_lines, .items = items};
    return REFRAIN_OK;
}

void bins_free(struct bins *b)
{
    free(b->items);
    *b = (struct bins){0};
}

/* Joins each two neighbouring bins. */
static void widen(struct bins *b)
{
    for (uint32_t line = 0; line < b->used; line++) {
        struct bin *bins = b->items + (size_t)line * b->n;
        for (uint32_t i = 0; i < b->n / 2; i++) {
            for (unsigned k = 0; k < CALL_KINDS; k++)
                bins[i].time[k] = bins[2 * i].time[k] + bins[2 * i + 1].time[k];
        }
        memset(bins + b->n / 2, 0, b->n / 2 * sizeof *bins);
    }
    b->shift++;
}

void bins_add(struct bins *b, uint32_t line, enum call_kind kind, uint64_t enter, uint64_t leave)
{
    assert(line < b->n_lines && kind < CALL_KINDS);
    assert(b->from <= enter && enter <= leave);
    uint64_t at = enter - b->from;
    const uint64_t end = leave - b->from;
    if (line >= b->used)
        b->used = line + 1;
    while (end >> b->shift >= b->n)
        widen(b);
    for (struct bin *bin = b->items + (size_t)line * b->n + (at >> b->shift); at < end; bin++) {
        const uint64_t last = at | ((UINT64_C(1) << b->shift) - 1); /* last nanosecond of the bin */
        const uint64_t until = end - 1 <= last ? end : last + 1;
        bin->time[kind] += until - at;
        at = until;
    }
}

/* Distributes `time` nanoseconds of a kind evenly between two positions, counted in columns. */
static void spread(struct bin_column *columns, uint32_t n, enum call_kind kind, double begin, double end,
                   double time)
{
    const double whole = end - begin;
    if (begin < 0)
        begin = 0;
    if (end > n)
        end = n;
    while (begin < end) {
        const uint32_t i = (uint32_t)begin;
        const double until = i + 1.0 < end ? i + 1.0 : end;
        columns[i].time[kind] += time * ((until - begin) / whole);
        begin = until;
    }
}

void bins_columns(const struct bins *b, uint32_t line, uint64_t from, uint64_t to, uint32_t n,
                  struct bin_column *columns)
{
    assert(line < b->n_lines && from < to && n > 0);
    const struct bin *bins = b->items + (size_t)line * b->n;
    const double scale = n / (double)(to - from), width = (double)(UINT64_C(1) << b->shift) * scale;
    const double first = ((double)b->from - (double)from) * scale;
    for (uint32_t i = 0; i < b->n; i++) {
        const double begin = first + i * width;
        if (begin >= n || begin + width <= 0)
            continue;
        for (unsigned k = 0; k < CALL_KINDS; k++) {
            if (bins[i].time[k] > 0)
                spread(columns, n, k, begin, begin + width, (double)bins[i].time[k]);
        }
    }
}

void bins_column_add(struct bin_column *columns, uint32_t n, uint64_t from, uint64_t to, enum call_kind kind,
                     uint64_t enter, uint64_t leave)
{
    assert(from < to && n > 0 && enter <= leave);
    const double scale = n / (double)(to - from);
    spread(columns, n, kind, ((double)enter - (double)from) * scale, ((double)leave - (double)from) * scale,
           (double)(leave - enter));
}
