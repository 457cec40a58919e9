/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranges.h"

#include "src/core/base/log.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Parses decimal digits at *at and moves *at after them. */
static bool parse_number(const char **at, uint64_t *v)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    errno = 0;
    *v = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}

enum refrain_status ranges_parse(struct ranges *r, const char *text)
{
    *r = (struct ranges){0};
    for (const char *at = text; at;) {
        struct range range;
        bool good = parse_number(&at, &range.first);
        range.last = range.first;
        if (good && *at == '-') {
            at++;
            good = parse_number(&at, &range.last) && range.first <= range.last;
        }
        if (!good || (*at && *at != ',')) {
            log_error("'%s' is not a list of numbers such as 0,4-7", text);
            ranges_free(r);
            return REFRAIN_ERR_USAGE;
        }
        if (!array_push(&r->items, range)) {
            ranges_free(r);
            return REFRAIN_ERR_MEMORY;
        }
        at = *at == ',' ? at + 1 : NULL;
    }
    return REFRAIN_OK;
}

enum refrain_status range_parse(struct range *r, const char *text)
{
    struct range range = {0, UINT64_MAX};
    if (text) {
        const char *at = text;
        const bool first = parse_number(&at, &range.first);
        const bool dots = strncmp(at, "..", 2) == 0;
        at += dots ? 2 : 0;
        const bool last = dots && parse_number(&at, &range.last);
        if (!dots)
            range.last = range.first;
        if (*at || (!first && !last) || range.first > range.last) {
            log_error("'%s' is not a range of numbers such as 10..20", text);
            return REFRAIN_ERR_USAGE;
        }
    }
    *r = range;
    return REFRAIN_OK;
}

void ranges_free(struct ranges *r)
{
    array_free(&r->items);
}

bool ranges_has(const struct ranges *r, uint64_t v)
{
    for (size_t i = 0; i < r->items.n; i++) {
        if (v >= r->items.items[i].first && v <= r->items.items[i].last)
            return true;
    }
    return r->items.n == 0;
}

enum refrain_status ranges_check(const struct ranges *r, const struct trace *t)
{
    const uint64_t first = t->first_rank, end = first + t->n_ranks;
    for (size_t i = 0; i < r->items.n; i++) {
        const struct range *range = &r->items.items[i];
        if (range->first < first || range->last >= end) {
            log_error("there is no rank %" PRIu64 ": the trace has ranks %" PRIu64 " to %" PRIu64,
                      range->first < first ? range->first : range->last, first, end - 1);
            return REFRAIN_ERR_USAGE;
        }
    }
    return REFRAIN_OK;
}

static bool has_thread(const struct range *threads, const struct ranges *ranks, const struct reader *r)
{
    struct lane_ref lane;
    for (uint64_t rank = 0; reader_next_rank(r, &rank); rank++) {
        for (size_t at = 0;
             ranges_has(ranks, rank) && reader_next_lane(r, (uint32_t)rank, LANE_THREAD, &at, &lane);) {
            if (lane.shape->number >= threads->first && lane.shape->number <= threads->last)
                return true;
        }
    }
    return false;
}

enum refrain_status ranges_check_threads(const struct ranges *threads, const struct ranges *ranks,
                                         const struct reader *r)
{
    for (size_t i = 0; i < threads->items.n; i++) {
        const struct range *range = &threads->items.items[i];
        if (has_thread(range, ranks, r))
            continue;
        log_error("there is no thread %" PRIu64 "%s", range->first,
                  ranks->items.n > 0 ? " of these ranks" : " of any rank");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}
