/* SPDX-License-Identifier: BSD-3-Clause */
/* Why those wait that a finding is about. What nobody is to blame for has no reason. */
#include "decoder/causes/delay_reason.h"
#include "waits_text.h"

#include <stdlib.h>

static struct causes_view view_of(const struct waits *w, const struct waits_view *v)
{
    return (struct causes_view){
        .search = &w->search, .symbols = v->symbols, .preceding = &v->delays->preceding};
}

/* Its kinds are the events that its metric takes waiting from; r->by_lane is to be freed. False when memory is short. */
static bool start_request(struct reason_request *r, const struct waits *w, const struct wait_cause *c)
{
    const bool blames = severities_row(&w->search.blame, c->metric, c->site);
    uint64_t *by_lane = calloc(w->search.lanes.n + 1, sizeof *by_lane);
    if (!by_lane)
        return false;
    wait_report_add_lanes(&w->search, c->metric, c->site, by_lane);
    *r = (struct reason_request){.site = c->site,
                                 .kinds = blames ? w->metrics.items[c->metric]->events : 0,
                                 .time = c->time,
                                 .by_lane = by_lane};
    return true;
}

void waits_put_reason(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                      struct bytes *out)
{
    struct reason_request request = {0};
    /* Times that were made up are no reasons. */
    if (!v->delays || w->cut)
        return;
    const struct causes_view view = view_of(w, v);
    if (!start_request(&request, w, c) || delays_put_reason(v->delays, &view, &request, out) != REFRAIN_OK)
        out->failed = true;
    free((void *)request.by_lane);
}

bool waits_put_reason_json(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                           struct json *j)
{
    struct reason_request request = {0};
    if (!v->delays)
        return true;
    const struct causes_view view = view_of(w, v);
    const bool ok = start_request(&request, w, c) &&
                    delays_put_reason_json(v->delays, &view, &request, "because", j) == REFRAIN_OK;
    free((void *)request.by_lane);
    return ok;
}
