/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank_clock.h"

#include <assert.h>
#include <stdlib.h>

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"

void rank_clocks_free(struct rank_clocks *c)
{
    for (size_t i = 0; i < c->n; i++)
        array_free(&c->items[i].points);
    array_free(c);
}

const struct rank_clock *rank_clocks_find(const struct rank_clocks *c, uint32_t rank)
{
    const size_t at = BISECT(i, c->n, c->items[i].rank < rank);
    return at < c->n && c->items[at].rank == rank ? &c->items[at] : NULL;
}

/* Return the point from which the line at `local` goes to the next point. */
static size_t find_line(const struct rank_clock *c, uint64_t local)
{
    size_t i = c->points.n - 1;
    while (i > 0 && c->points.items[i].local > local)
        i--;
    return i + 1 == c->points.n && i > 0 ? i - 1 : i;
}

uint64_t rank_clock_global(const struct rank_clock *c, uint64_t local)
{
    assert(!c || c->points.n >= 1);
    if (!c)
        return local;
    const size_t i = find_line(c, local);
    const struct clock_point *p = &c->points.items[i];
    if (i + 1 == c->points.n)
        return local + (uint64_t)p->ahead;
    const int64_t gained = (int64_t)((uint64_t)p[1].ahead - (uint64_t)p->ahead);
    const __int128 since = (__int128)local - p->local, length = (__int128)p[1].local - p->local;
    int64_t product;
    /* 64 bits usually suffice and are much faster. Both branches round down, so that the result
     * never decreases. */
    if ((int64_t)since == since && (int64_t)length == length &&
        !__builtin_mul_overflow(gained, (int64_t)since, &product)) {
        const int64_t n = (int64_t)length, gain = product / n - (product % n < 0);
        return local + (uint64_t)p->ahead + (uint64_t)gain;
    }
    __int128 gain = gained * since / length;
    gain -= gained * since % length < 0;
    return local + (uint64_t)p->ahead + (uint64_t)gain;
}

/* On one line the difference only grows, or only shrinks: if it is the same at two times, it is the same
 * between them. */
struct clock_step rank_clock_step(const struct rank_clock *c, uint64_t local)
{
    const uint64_t ahead = rank_clock_global(c, local) - local;
    const size_t next = c ? find_line(c, local) + 1 : 0;
    const uint64_t end = c && next + 1 < c->points.n ? c->points.items[next].local : UINT64_MAX;
    struct clock_step s = {local, local + 1, ahead};
    for (uint64_t more = 1; more < end - s.until; more *= 2) {
        const uint64_t last = s.until + more - 1;
        if (rank_clock_global(c, last) - last != ahead)
            break;
        s.until += more;
    }
    return s;
}

enum refrain_status rank_clocks_append(struct rank_clocks *into, struct rank_clocks *next)
{
    assert(into->n == 0 || next->n == 0 || into->items[into->n - 1].rank < next->items[0].rank);
    if (!array_reserve(into, next->n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < next->n; i++)
        into->items[into->n++] = next->items[i];
    next->n = 0;
    return REFRAIN_OK;
}

static enum refrain_status check_points(const struct rank_clock *c)
{
    if (c->points.n == 0) {
        log_error("the clock of rank %u has no points", c->rank);
        return REFRAIN_ERR_CHECK;
    }
    for (size_t i = 1; i < c->points.n; i++) {
        const struct clock_point *p = &c->points.items[i - 1], *q = &c->points.items[i];
        const __int128 gained = (int64_t)((uint64_t)q->ahead - (uint64_t)p->ahead);
        if (p->local >= q->local || gained <= -(__int128)(q->local - p->local)) {
            log_error("the clock of rank %u goes backwards", c->rank);
            return REFRAIN_ERR_CHECK;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status rank_clocks_check(const struct rank_clocks *c, uint32_t first, uint32_t n)
{
    for (size_t i = 0; i < c->n; i++) {
        const uint32_t rank = c->items[i].rank;
        if (rank < first || rank - first >= n || (i > 0 && rank <= c->items[i - 1].rank)) {
            log_error("clock %zu: rank %u is out of range or out of order", i, rank);
            return REFRAIN_ERR_CHECK;
        }
        const enum refrain_status status = check_points(&c->items[i]);
        if (status)
            return status;
    }
    return REFRAIN_OK;
}

/* Each number is stored as the difference from the previous one; the first of a rank follows the
 * last of the rank before it. */
void rank_clocks_encode(const struct rank_clocks *c, struct bytes *out)
{
    struct clock_point last = {0};
    uint32_t rank = 0;
    if (c->n == 0)
        return;
    bytes_put_uint(out, c->n);
    for (size_t i = 0; i < c->n; i++) {
        const struct rank_clock *r = &c->items[i];
        bytes_put_uint(out, r->rank - rank);
        bytes_put_uint(out, r->points.n);
        for (size_t k = 0; k < r->points.n; k++) {
            const struct clock_point p = r->points.items[k];
            bytes_put_int(out, (int64_t)(p.local - last.local));
            bytes_put_int(out, (int64_t)((uint64_t)p.ahead - (uint64_t)last.ahead));
            bytes_put_uint(out, p.error + 1); /* CLOCK_UNKNOWN becomes 0 */
            last = p;
        }
        rank = r->rank;
    }
}

enum refrain_status rank_clocks_decode(struct bytes_reader *in, struct rank_clocks *out)
{
    struct clock_point last = {0};
    uint64_t rank = 0;
    const size_t n = bytes_get_count(in, 5);
    if (!array_reserve(out, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        rank += bytes_get_uint(in);
        const size_t n_points = bytes_get_count(in, 3);
        if (in->failed || rank > UINT32_MAX) {
            log_error("cut off, or an invalid rank");
            return REFRAIN_ERR_FORMAT;
        }
        struct rank_clock *r = &out->items[out->n++];
        *r = (struct rank_clock){.rank = (uint32_t)rank};
        if (!array_reserve(&r->points, n_points))
            return REFRAIN_ERR_MEMORY;
        for (size_t k = 0; k < n_points; k++) {
            last.local += (uint64_t)bytes_get_int(in);
            last.ahead = (int64_t)((uint64_t)last.ahead + (uint64_t)bytes_get_int(in));
            last.error = bytes_get_uint(in) - 1;
            r->points.items[r->points.n++] = last;
        }
    }
    return REFRAIN_OK;
}
