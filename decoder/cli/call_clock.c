/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_clock.h"

#include "src/core/base/log.h"

enum refrain_status call_clocks_create(struct call_clocks *c, bool wanted, const char *word,
                                       const struct reader *r, const struct definitions *d)
{
    *c = (struct call_clocks){.wanted = wanted, .common = word};
    if (word && !wanted) {
        log_error("--clock works only with --times: add --times");
        return REFRAIN_ERR_USAGE;
    }
    enum refrain_status status = wanted ? lane_times_check(r) : REFRAIN_OK;
    if (status == REFRAIN_OK && word)
        status = timestamps_source_create(&c->source, r, false);
    if (status == REFRAIN_OK && word)
        status = logical_clock_apply(&c->logical, word, r, d, &c->source);
    if (status != REFRAIN_OK)
        call_clocks_free(c);
    return status;
}

void call_clocks_free(struct call_clocks *c)
{
    timestamps_source_free(&c->source);
    logical_clock_free(&c->logical);
    *c = (struct call_clocks){0};
}

uint64_t call_clocks_from(const struct call_clocks *c, uint64_t first)
{
    return c->common ? 0 : first;
}

static enum refrain_status start_own(struct call_clock *c, const struct reader *r,
                                     const struct lane_ref *lane, uint64_t from)
{
    enum refrain_status status = lane_times_start(&c->own, r, lane, &c->there);
    if (status == REFRAIN_OK && c->there)
        status = lane_times_base(r, lane->rank, &c->base);
    if (status == REFRAIN_OK && c->there && from > 0)
        status = lane_times_seek(&c->own, from);
    return status;
}

enum refrain_status call_clock_start(struct call_clock *c, const struct call_clocks *clocks,
                                     const struct reader *r, const struct lane_ref *lane, uint64_t from)
{
    *c = (struct call_clock){.clocks = clocks};
    if (!clocks->wanted || lane->shape->kind != LANE_THREAD)
        return REFRAIN_OK;
    if (!clocks->common)
        return start_own(c, r, lane, from);
    c->there = true;
    return timestamps_start(&c->common, &clocks->source, lane);
}

const struct timestamp *call_clock_read(struct call_clock *c, const struct call *call,
                                        enum refrain_status *status)
{
    if (c->clocks->common) {
        *status = timestamps_next(&c->common, call, &c->timestamp);
        return *status == REFRAIN_OK ? &c->timestamp : NULL;
    }
    if (!lane_times_next(&c->own, &c->timestamp, status))
        return NULL;
    c->timestamp = lane_times_since(&c->own, c->base, c->timestamp);
    return &c->timestamp;
}

void call_clock_stop(struct call_clock *c)
{
    lane_times_stop(&c->own);
    timestamps_stop(&c->common);
    *c = (struct call_clock){0};
}
