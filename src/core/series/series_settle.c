/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs irregular elements. The reduction rules work at the end of a series, so elements far from the end
 * do not change any more. When there are many of them, single values, and loops so short that they are
 * chance, become packs:
 *
 *     settled | 5 9 2 loop 3 { 4 + i } 7 …   loop 90 { … }   3 8 1 … | the last SERIES_WAITING elements
 *             | pack                          loop 90 { … }   pack    settled | SERIES_WAITING elements */
#include "series_impl.h"

#include "src/core/base/log.h"

#include <assert.h>
#include <stdlib.h>

enum {
    TOGETHER = 1024, /* elements to collect before packing, so that its cost for each is small */
    SHORT = 8,       /* most values of a loop that is packed with its neighbours */
    PACK_LEAST = 64  /* fewer values are not packed */
};

struct settling {
    const struct series *from;
    struct series to;
    uint64_t *values; /* SERIES_PACK_MOST + SHORT */
    uint32_t n;
    size_t first; /* first element of `from` that the values are from */
};

/* Put the collected values into a pack; if they are few, keep them as elements. */
static enum refrain_status flush(struct settling *s, size_t end)
{
    enum refrain_status status = REFRAIN_OK;
    if (s->n >= PACK_LEAST) {
        status = series_put_pack(&s->to, s->values, s->n);
    } else {
        for (size_t t = s->first; t < end && status == REFRAIN_OK; t++)
            status = series_put_element(&s->to, s->from, t, 0);
    }
    s->n = 0;
    s->first = end;
    return status;
}

/* Collect the values of element t, which may be packed. */
static void collect(struct settling *s, size_t t, uint64_t length)
{
    struct series_cursor c;
    int64_t value;
    series_cursor_start(&c, s->from);
    c.node = s->from->tops.items[t];
    for (; length > 0 && series_cursor_next(&c, &value); length--)
        s->values[s->n++] = (uint64_t)value;
}

static enum refrain_status settle_elements(struct settling *s, size_t end)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t t = s->first; t < end && status == REFRAIN_OK; t++) {
        const uint64_t length = series_node_length(s->from, s->from->tops.items[t]);
        if (length <= SHORT) {
            collect(s, t, length);
            if (s->n >= SERIES_PACK_MOST)
                status = flush(s, t + 1);
            continue;
        }
        status = flush(s, t);
        if (status == REFRAIN_OK)
            status = series_put_element(&s->to, s->from, t, 0);
        s->first = t + 1;
    }
    return status == REFRAIN_OK ? flush(s, end) : status;
}

/* Settle all elements before number `end`. */
static enum refrain_status settle(struct series *s, size_t end)
{
    struct settling settling = {.from = s, .first = s->settled};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (!(settling.values = malloc((SERIES_PACK_MOST + SHORT) * sizeof *settling.values))) {
        log_error("out of memory: packing %zu values", end - s->settled);
        return status;
    }
    status = settle_elements(&settling, end);
    const size_t settled = s->settled + settling.to.tops.n;
    for (size_t t = end; t < s->tops.n && status == REFRAIN_OK; t++)
        status = series_put_element(&settling.to, s, t, 0);
    if (status == REFRAIN_OK) {
        series_cut(s, s->settled);
        for (size_t t = 0; t < settling.to.tops.n && status == REFRAIN_OK; t++)
            status = series_put_element(s, &settling.to, t, 0);
        s->settled = settled;
    }
    series_clear(&settling.to);
    free(settling.values);
    return status;
}

enum refrain_status series_settle(struct series *s)
{
    if (s->settled > s->tops.n)
        s->settled = s->tops.n;
    return s->tops.n - s->settled < TOGETHER + SERIES_WAITING ? REFRAIN_OK
                                                              : settle(s, s->tops.n - SERIES_WAITING);
}

enum refrain_status series_pack(struct series *s)
{
    assert(s->shares == 0);
    if (s->settled > s->tops.n)
        s->settled = s->tops.n;
    return s->settled < s->tops.n ? settle(s, s->tops.n) : REFRAIN_OK;
}
