/* SPDX-License-Identifier: BSD-3-Clause */
#include "page_ranks.h"

#include "decoder/causes/causes_text.h"

#include "decoder/util/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* A rank counts if it has at least this share of the worst one's value. */
#define SHARE 0.05
/* At most NAMED_MOST ranks are named, until they have NAMED_ENOUGH of the whole; together at least
 * NAMED_LEAST, each at least NAMED_EACH. */
#define NAMED_MOST   3
#define NAMED_ENOUGH 0.9
#define NAMED_LEAST  0.5
#define NAMED_EACH   0.05

struct page_ranks page_ranks_of(const struct wait_search *s, const uint64_t *by_lane)
{
    struct page_ranks r = {.values = calloc(s->lanes.n_ranks + (size_t)1, sizeof *r.values),
                           .first = s->lanes.first_rank,
                           .n = s->lanes.n_ranks};
    for (size_t i = 0; r.values && i < s->lanes.n; i++)
        r.values[s->lanes.items[i].rank - r.first] += by_lane[i];
    for (uint32_t i = 0; r.values && i < r.n; i++)
        r.worst = r.values[i] > r.values[r.worst] ? i : r.worst;
    return r;
}

void page_ranks_free(struct page_ranks *r)
{
    free(r->values);
    *r = (struct page_ranks){0};
}

size_t page_ranks_put(const struct page_ranks *r, struct bytes *out)
{
    const uint64_t share = (uint64_t)((double)r->values[r->worst] * SHARE), least = share > 0 ? share : 1;
    size_t n = 0;
    for (uint32_t i = 0; i < r->n; i++)
        n += r->values[i] >= least;
    causes_put_ranks(r->values, r->first, r->n, least, out);
    return n;
}

void page_ranks_put_weighted(const struct page_ranks *r, struct bytes *out, bool *several)
{
    uint64_t *rest = calloc(r->n + (size_t)1, sizeof *rest), all = 0, first = 0, most = 0;
    const uint64_t half = r->values[r->worst] / 2 + 1;
    for (uint32_t i = 0; rest && i < r->n; i++) {
        all += r->values[i];
        first += r->values[i] >= half ? r->values[i] : 0;
        rest[i] = r->values[i] >= half ? 0 : r->values[i];
        most = rest[i] > most ? rest[i] : most;
    }
    const uint64_t least = (uint64_t)(NAMED_EACH * (double)all) + 1;
    *several = causes_put_ranks(r->values, r->first, r->n, half, out);
    if (first < all - all / 20)
        text_printf(out, " (%.0f %% of the delay)", 100 * (double)first / (double)all);
    if (most >= least && (double)first < NAMED_ENOUGH * (double)all) {
        text_put(out, ", ");
        causes_put_ranks(rest, r->first, r->n, least, out);
        *several = true;
    }
    out->failed = out->failed || !rest;
    free(rest);
}

/* Returns the rank with the largest value that is not named yet. */
static uint32_t next_of(const struct page_ranks *r, const uint32_t *named, size_t n)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < r->n; i++) {
        bool is_named = false;
        for (size_t k = 0; k < n; k++)
            is_named = is_named || named[k] == i;
        if (!is_named && (best == UINT32_MAX || r->values[i] > r->values[best]))
            best = i;
    }
    return best;
}

void page_ranks_put_each(const struct page_ranks *r, struct bytes *out, bool *several)
{
    uint32_t named[NAMED_MOST];
    uint64_t all = 0;
    size_t n = 0, as_much = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        all += r->values[i];
        as_much += r->values[i] > 0 && r->values[i] >= r->values[r->worst] / 2;
    }
    if (as_much < 2 || as_much > NAMED_MOST) {
        page_ranks_put_weighted(r, out, several);
        return;
    }
    for (; n < as_much; n++) {
        named[n] = next_of(r, named, n);
        text_printf(out, n == 0 ? "rank %" PRIu32 " (%.0f %% of the delay)" : ", rank %" PRIu32 " (%.0f %%)",
                    r->first + named[n], 100 * (double)r->values[named[n]] / (double)all);
    }
    *several = true;
}

bool page_ranks_put_shares(const struct page_ranks *r, uint64_t all, const char *before, struct bytes *out)
{
    uint32_t named[NAMED_MOST];
    size_t n = 0;
    uint64_t sum = 0;
    while (n < NAMED_MOST && (double)sum < NAMED_ENOUGH * (double)all) {
        const uint32_t next = next_of(r, named, n);
        if (next == UINT32_MAX || r->values[next] == 0 || (double)r->values[next] < NAMED_EACH * (double)all)
            break;
        sum += r->values[next];
        named[n++] = next;
    }
    if (n == 0 || (double)sum < NAMED_LEAST * (double)all)
        return false;
    const bool is_all = n == 1 && (double)sum >= PAGE_ALL * (double)all;
    text_put(out, before);
    for (size_t i = 0; i < n; i++) {
        text_printf(out, "%srank %" PRIu32, i == 0 ? " " : ", ", r->first + named[i]);
        if (!is_all)
            text_printf(out, " in %.0f %%", 100 * (double)r->values[named[i]] / (double)all);
    }
    text_put(out, is_all ? "" : " of it");
    return true;
}
