/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_fold.h"

#include "codec_impl.h"
#include "codec_times.h"
#include "src/core/base/log.h"

#include <stdlib.h>

#define NO_SIGNATURE UINT32_MAX

void codec_fold_free(struct codec_fold *f)
{
    array_free(&f->times);
    array_free(&f->of_timing);
}

/* Return the signature that represents the class of `s`. */
static uint32_t class_of(const struct codec_tables *t, uint32_t s)
{
    while (t->signatures.items[s].class != s)
        s = t->signatures.items[s].class;
    return s;
}

static void unite(struct codec_fold *f, struct codec_tables *t, uint32_t a, uint32_t b)
{
    a = class_of(t, a);
    b = class_of(t, b);
    if (a == b)
        return;
    uint32_t stays = a < b ? a : b, goes = a < b ? b : a;
    timing_merge(&f->times.items[stays], &f->times.items[goes]);
    timing_clear(&f->times.items[goes]);
    t->signatures.items[goes].class = stays;
}

static bool prepare(struct codec_fold *f, const struct codec_tables *t, size_t n_timings)
{
    f->of_timing.n = 0;
    if (!array_reserve(&f->times, t->signatures.n - f->times.n) || !array_reserve(&f->of_timing, n_timings))
        return false;
    while (f->times.n < t->signatures.n)
        timing_clear(&f->times.items[f->times.n++]);
    while (f->of_timing.n < n_timings)
        f->of_timing.items[f->of_timing.n++] = NO_SIGNATURE;
    return true;
}

enum refrain_status codec_fold_group(struct codec_fold *f, struct codec_tables *t, const struct group *g,
                                     const uint32_t *rows)
{
    if (g->timings.n == 0)
        return REFRAIN_OK;
    if (!prepare(f, t, g->timings.n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < g->rows.n; i++) {
        uint32_t timing = g->rows.items[i].timing;
        if (timing == TIMING_NONE)
            continue;
        uint32_t *first = &f->of_timing.items[timing];
        if (*first == NO_SIGNATURE) {
            *first = rows[i];
            timing_merge(&f->times.items[class_of(t, rows[i])], &g->timings.items[timing]);
        } else {
            unite(f, t, *first, rows[i]);
        }
    }
    return REFRAIN_OK;
}

enum refrain_status codec_fold_encode(const struct codec_fold *f, const struct codec_tables *t,
                                      const uint32_t *order, struct bytes *out)
{
    const size_t n = t->signatures.n;
    if (f->times.n == 0)
        return REFRAIN_OK;
    /* Number of each class + 1, by its representative. */
    uint32_t *numbers = calloc(n, sizeof *numbers);
    const struct timing **times = malloc(n * sizeof *times); /* times of each class */
    enum refrain_status status = REFRAIN_OK;
    uint32_t n_classes = 0;
    if (!numbers || !times) {
        log_error("out of memory: writing the times of %zu rows", n);
        status = REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++) {
        uint32_t class = class_of(t, order[i]);
        if (class >= f->times.n || f->times.items[class].count == 0) {
            bytes_put_uint(out, CLASS_NONE);
        } else if (numbers[class] == 0) {
            bytes_put_uint(out, CLASS_NEW);
            times[n_classes] = &f->times.items[class];
            numbers[class] = ++n_classes;
        } else {
            bytes_put_uint(out, CLASS_OLD + (uint64_t)numbers[class] - 1);
        }
    }
    if (status == REFRAIN_OK)
        status = codec_times_encode(times, n_classes, out);
    free(times);
    free(numbers);
    return status;
}
