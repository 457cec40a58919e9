/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits.h"

#include "decoder/match/logical_clock.h"
#include "decoder/processes/time_helpers.h"
#include "decoder/times/times_reach.h"
#include "src/core/base/log.h"
#include "src/core/time/time_mode.h"

#include <inttypes.h>
#include <string.h>

/* Times that were not recorded but estimated are not examined. */
static enum refrain_status find_end(struct waits *w, const struct reader *r,
                                    const struct timestamps_source *source, uint64_t *to)
{
    struct times_reach reach;
    const enum refrain_status status = times_reach_find(&reach, r);
    if (status != REFRAIN_OK || reach.timed == reach.calls)
        return status;
    if (reach.has_none) {
        log_error("%s: thread %" PRIu32 " of rank %" PRIu32
                  " has no times of single calls (record with --time-budget none)",
                  r->path, reach.none_thread, reach.none);
        return REFRAIN_ERR_USAGE;
    }
    const uint64_t until = reach.until > source->origin ? reach.until - source->origin : 0;
    w->cut = until < *to;
    *to = w->cut ? until : *to;
    return REFRAIN_OK;
}

static enum refrain_status search(struct waits *w, const struct reader *r, const struct definitions *d,
                                  const struct waits_request *request, const struct timestamps_source *source)
{
    wait_search_free(&w->search);
    w->search = (struct wait_search){.grid = request->grid,
                                     .places = request->places,
                                     .ranks = request->ranks,
                                     .from = request->from,
                                     .to = request->to,
                                     .slack = 2 * w->bound,
                                     .listener = request->listener,
                                     .times = request->times,
                                     .worst = {.most = request->n_worst},
                                     .worst_of = request->metric};
    return wait_search_run(&w->search, r, d, &w->metrics, source);
}

/* Searches with the recorded clocks first. Wrong clocks show as messages that are received before
 * they were sent, by more than the rounding of times. Only then are the clocks corrected, which
 * takes time. */
static enum refrain_status search_by_clock(struct waits *w, const struct reader *r,
                                           const struct definitions *d, const struct waits_request *request,
                                           struct timestamps_source *source)
{
    const bool causal = request->clock && strcmp(request->clock, "causal") == 0;
    struct logical_clock clock = {0};
    enum refrain_status status = REFRAIN_OK;
    if (!causal)
        status = search(w, r, d, request, source);
    if (status != REFRAIN_OK || (request->clock && !causal) ||
        (!causal && w->search.early <= w->search.slack))
        return status;
    w->is_causal = true;
    status = logical_clock_apply(&clock, "causal", r, d, source);
    if (status == REFRAIN_OK)
        status = search(w, r, d, request, source);
    logical_clock_free(&clock);
    source->correction = NULL;
    source->rma_records = NULL;
    return status;
}

/* The same; other processes, if there are any, read the times. */
static enum refrain_status search_with_helpers(struct waits *w, const struct reader *r,
                                               const struct definitions *d,
                                               const struct waits_request *request,
                                               struct timestamps_source *source)
{
    struct time_helpers *helpers;
    const enum refrain_status status = time_helpers_open(&helpers, r);
    if (status != REFRAIN_OK)
        return status;
    source->supply = time_helpers_supply(helpers);
    return time_helpers_close(helpers, search_by_clock(w, r, d, request, source));
}

/* A --from after the end of the run is an error, not an empty page. */
static enum refrain_status check_begin(const struct waits *w, uint64_t from)
{
    uint64_t end = 0;
    for (size_t i = 0; i < w->search.lanes.n; i++)
        end = w->search.lanes.items[i].last > end ? w->search.lanes.items[i].last : end;
    if (from == 0 || from < end)
        return REFRAIN_OK;
    log_error("--from: the run ends at %.6f s, counted from the first call", (double)end * 1e-9);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status waits_find(struct waits *w, const struct reader *r, const struct definitions *d,
                               const struct waits_request *request)
{
    struct timestamps_source source = {0};
    struct waits_request cut = *request;
    *w = (struct waits){0};
    metrics_start(&w->metrics);
    metrics_add_all(&w->metrics);
    if (request->clock && strcmp(request->clock, "causal") != 0 && strcmp(request->clock, "linear") != 0) {
        log_error("--clock %s: wanted linear or causal", request->clock);
        return REFRAIN_ERR_USAGE;
    }
    enum refrain_status status = lane_times_check(r);
    if (status == REFRAIN_OK)
        status = lane_times_bound(r, &w->bound);
    if (status == REFRAIN_OK)
        status = timestamps_source_create(&source, r, false);
    if (status == REFRAIN_OK)
        status = find_end(w, r, &source, &cut.to);
    if (status == REFRAIN_OK && cut.from > 0 && cut.from >= cut.to) {
        log_error("--from: times of single calls end at %.6f s", (double)cut.to * 1e-9);
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK)
        status = search_with_helpers(w, r, d, &cut, &source);
    if (status == REFRAIN_OK)
        status = check_begin(w, cut.from);
    if (status == REFRAIN_OK)
        status = wait_report_create(&w->report, &w->search, request->metric);
    timestamps_source_free(&source);
    if (status != REFRAIN_OK)
        waits_free(w);
    return status;
}

void waits_free(struct waits *w)
{
    wait_report_free(&w->report);
    wait_search_free(&w->search);
    *w = (struct waits){0};
}
