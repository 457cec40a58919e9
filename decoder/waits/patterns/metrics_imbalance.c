/* SPDX-License-Identifier: BSD-3-Clause */
/* Uneven distribution of computing. A trace has no functions of the program, so computing belongs
 * to the call site of the MPI call that ends it. */
#include "decoder/waits/search/wait_search.h"

#define SCOUT "Scalasca (scout)"

static enum refrain_status add(struct wait_search *s, uint32_t self, const struct wait_event *e,
                               uint64_t time)
{
    return time > 0 && wait_search_has(s, e->call.rank)
               ? severities_add(&s->values, self, e->call.site, wait_search_lane(s, &e->call), time)
               : REFRAIN_OK;
}

static uint64_t above(const struct computing *c)
{
    return c->own > c->mean ? c->own - c->mean : 0;
}

static uint64_t below(const struct computing *c)
{
    return c->own < c->mean ? c->mean - c->own : 0;
}

static enum refrain_status take_above(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return add(s, self, e, above(e->computing));
}

static enum refrain_status take_single(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return add(s, self, e, e->computing->threads == 1 ? above(e->computing) : 0);
}

static enum refrain_status take_below(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return add(s, self, e, below(e->computing));
}

static enum refrain_status take_bypass(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return add(s, self, e, e->computing->own == 0 ? below(e->computing) : 0);
}

static enum refrain_status take_singularity(struct wait_search *s, uint32_t self, const struct wait_event *e)
{
    return add(s, self, e, e->computing->own == 0 && e->computing->threads == 1 ? below(e->computing) : 0);
}

#define ROW(name_, title, above_, part_, take_, text_)                                                       \
    {                                                                                                        \
        .uniq_name = name_, .name = title, .parent = above_, .part = part_, .text = text_, .source = SCOUT,  \
        .events = EVENTS(EVENT_COMPUTING), .take = take_                                                     \
    }

const struct metric metrics_imbalance[] = {
    {.uniq_name = "imbalance",
     .name = "computational imbalance",
     .text = "How much the threads' computing time before the calls at a site differs from its mean. The "
             "time belongs to the call that ends it. The number of threads per rank is that of the rank in "
             "which most threads compute there: a second thread that never makes such calls does not count "
             "as missing.",
     .source = SCOUT},
    ROW("imbalance_above", "overload", "imbalance", false, take_above, "Computing time above the mean."),
    ROW("imbalance_above_single", "single participant", "imbalance_above", true, take_single,
        "Overload at sites where only one thread computes."),
    ROW("imbalance_below", "underload", "imbalance", false, take_below,
        "Computing time missing to the mean."),
    ROW("imbalance_below_bypass", "non-participation", "imbalance_below", true, take_bypass,
        "Underload of threads that do not compute there at all."),
    ROW("imbalance_below_singularity", "singularity", "imbalance_below_bypass", true, take_singularity,
        "Non-participation at sites where only one thread computes."),
    {0},
};
