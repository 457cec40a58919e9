/* SPDX-License-Identifier: BSD-3-Clause */
#include "critical_path.h"

#include "decoder/waits/search/wait_event.h"
#include "src/core/base/log.h"

#include <stdlib.h>

enum refrain_status critical_path_create(struct critical_path *c, size_t n_lanes, size_t n_sites,
                                         uint64_t slack)
{
    *c = (struct critical_path){.slack = slack, .n_lanes = n_lanes, .n_sites = n_sites};
    c->totals = calloc(n_sites * CRITICAL_ACTIVITIES + 1, sizeof *c->totals);
    c->of_lane = calloc(n_lanes + 1, sizeof *c->of_lane);
    c->last_site = calloc(n_lanes + 1, sizeof *c->last_site);
    if (!c->totals || !c->of_lane || !c->last_site) {
        log_error("out of memory: paths of %zu threads", n_lanes);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status = delays_create(&c->delays, n_sites * CRITICAL_ACTIVITIES, n_lanes);
    if (status == REFRAIN_OK)
        status = preceding_create(&c->delays.preceding, n_sites, n_lanes);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < n_lanes; i++) {
        c->last_site[i] = PRECEDING_NONE;
        if (!genealogy_begin(&c->genealogy, PIECE_NONE, &c->of_lane[i].piece))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

void critical_path_free(struct critical_path *c)
{
    free(c->totals);
    free(c->of_lane);
    free(c->last_site);
    array_free(&c->of_mark);
    array_free(&c->profile);
    critical_route_free(&c->route);
    delays_free(&c->delays);
    genealogy_free(&c->genealogy);
    *c = (struct critical_path){0};
}

/* Returns the part of the interval inside the run, in ns. */
static uint64_t in_run(const struct critical_path *c, uint64_t from, uint64_t to)
{
    const uint64_t first = from > c->begin ? from : c->begin;
    return to > first ? to - first : 0;
}

/* Extends the lane's path to `until`. */
static enum refrain_status go_on(struct critical_path *c, uint32_t lane, uint32_t site,
                                 enum critical_activity activity, uint64_t until)
{
    struct critical_end *end = &c->of_lane[lane];
    if (until <= end->length)
        return REFRAIN_OK;
    const uint64_t more = in_run(c, end->length, until);
    end->length = until;
    if (more == 0)
        return REFRAIN_OK;
    return genealogy_add(&c->genealogy, end->piece, critical_key(site, activity, lane), more, until)
               ? REFRAIN_OK
               : REFRAIN_ERR_MEMORY;
}

/* Starts a new piece for the lane, after `from`. The caller keeps the hold of the lane's old
 * piece. */
static enum refrain_status branch(struct critical_path *c, uint32_t lane, struct critical_end from)
{
    c->of_lane[lane].length = from.length;
    c->genealogy.pieces.items[from.piece].until = from.length;
    return genealogy_begin(&c->genealogy, from.piece, &c->of_lane[lane].piece) ? REFRAIN_OK
                                                                               : REFRAIN_ERR_MEMORY;
}

static void add_total(struct critical_path *c, uint32_t site, enum critical_activity activity, uint64_t time)
{
    c->totals[(size_t)site * CRITICAL_ACTIVITIES + activity] += time;
}

static bool make_mark(struct critical_path *c, uint32_t mark)
{
    while (c->of_mark.n <= mark) {
        if (!array_push(&c->of_mark, ((struct critical_end){PIECE_NONE, 0})))
            return false;
    }
    return true;
}

static enum refrain_status take_enter(void *context, const struct causal_call *call, uint32_t mark)
{
    struct critical_path *c = context;
    const struct critical_end *end = &c->of_lane[call->lane];
    const uint64_t time = in_run(c, end->length, call->enter);
    add_total(c, call->site, CRITICAL_COMPUTING, time);
    enum refrain_status status = preceding_add(&c->delays.preceding, call->lane, call->site,
                                               c->last_site[call->lane], time, call->enter);
    c->last_site[call->lane] = call->site;
    if (status == REFRAIN_OK)
        status = go_on(c, call->lane, call->site, CRITICAL_COMPUTING, call->enter);
    if (status != REFRAIN_OK || mark == CAUSAL_NONE)
        return status;
    if (!make_mark(c, mark))
        return REFRAIN_ERR_MEMORY;
    c->of_mark.items[mark] = *end;
    return branch(c, call->lane, *end);
}

/* Does the cause come after the other one? A call that sends and receives, such as MPI_Sendrecv, is both at the same
 * time; the wait search counts that as waiting for the message (EVENT_RECEIVE). */
static bool is_after(const struct causal_cause *a, const struct causal_cause *b)
{
    return a->at > b->at || (a->at == b->at && a->kind == EVENT_RECEIVE);
}

/* Returns the cause that the call waited for: the last one that began in another lane during the
 * call. Returns NULL if there is none. */
static const struct causal_cause *find_wait(const struct critical_path *c, const struct causal_call *call,
                                            const struct causal_cause *causes, size_t n)
{
    const struct causal_cause *last = NULL;
    for (size_t i = 0; i < n; i++) {
        if (causes[i].at > call->enter && causes[i].at <= call->leave + c->slack &&
            causes[i].lane != CAUSAL_NONE && causes[i].lane != call->lane &&
            (!last || is_after(&causes[i], last)))
            last = &causes[i];
    }
    return last;
}

static enum refrain_status take_leave(void *context, const struct causal_call *call,
                                      const struct causal_cause *causes, size_t n)
{
    struct critical_path *c = context;
    const struct causal_cause *wait = find_wait(c, call, causes, n);
    const uint64_t from = wait ? wait->at : call->enter;
    if (wait) {
        const struct critical_jump jump = {c->of_mark.items[wait->mark].length, call->lane, wait->lane};
        if (!critical_route_add(&c->route, jump))
            return REFRAIN_ERR_MEMORY;
        const uint32_t own = c->of_lane[call->lane].piece;
        const uint64_t until = wait->at < call->leave ? wait->at : call->leave;
        const struct delayed delayed = {.lane = call->lane,
                                        .piece = own,
                                        .of = c->of_mark.items[wait->mark].piece,
                                        .site = call->site,
                                        .kind = wait->kind,
                                        .other = wait->lane,
                                        .time = in_run(c, call->enter, until)};
        enum refrain_status status = delays_take(&c->delays, &c->genealogy, &delayed);
        if (status == REFRAIN_OK)
            status = branch(c, call->lane, c->of_mark.items[wait->mark]);
        if (status != REFRAIN_OK)
            return status;
        if (!genealogy_release(&c->genealogy, own))
            return REFRAIN_ERR_MEMORY;
    }
    add_total(c, call->site, CRITICAL_CALL, in_run(c, from, call->leave));
    return go_on(c, call->lane, call->site, CRITICAL_CALL, call->leave);
}

/* A call that depends on all members is known to depend on the last one, too. */
static enum refrain_status take_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    struct critical_path *c = context;
    (void)members;
    (void)n;
    if (!make_mark(c, mark))
        return REFRAIN_ERR_MEMORY;
    c->of_mark.items[mark].piece = PIECE_NONE;
    return REFRAIN_OK;
}

static void forget_mark(void *context, uint32_t mark)
{
    struct critical_path *c = context;
    if (c->of_mark.items[mark].piece != PIECE_NONE)
        genealogy_release(&c->genealogy, c->of_mark.items[mark].piece);
}

struct causal_sink critical_path_sink(struct critical_path *c)
{
    return (struct causal_sink){
        .context = c, .enter = take_enter, .leave = take_leave, .forget = forget_mark, .join = take_join};
}

enum refrain_status critical_path_end(struct critical_path *c)
{
    uint32_t last = 0;
    for (uint32_t i = 1; i < c->n_lanes; i++) {
        if (c->of_lane[i].length > c->of_lane[last].length)
            last = i;
    }
    if (c->n_lanes == 0)
        return REFRAIN_OK;
    c->last_lane = last;
    c->length = in_run(c, 0, c->of_lane[last].length);
    return genealogy_sum(&c->genealogy, c->of_lane[last].piece, &c->profile) ? REFRAIN_OK
                                                                             : REFRAIN_ERR_MEMORY;
}
