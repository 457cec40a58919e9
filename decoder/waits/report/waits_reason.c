/* SPDX-License-Identifier: BSD-3-Clause */
/* Why those wait that a finding is about. What nobody is to blame for has no reason. */
#include "decoder/causes/delays_text.h"
#include "waits_text.h"

/* By the events that its metric takes waiting from. */
static uint32_t kinds_of(const struct waits *w, const struct wait_cause *c)
{
    return severities_row(&w->search.blame, c->metric, c->site) ? w->metrics.items[c->metric]->events : 0;
}

void waits_put_reason(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                      struct bytes *out)
{
    const struct causes_view view = {.search = &w->search, .symbols = v->symbols};
    if (v->delays && delays_put_reason(v->delays, &view, c->site, kinds_of(w, c), out) != REFRAIN_OK)
        out->failed = true;
}

bool waits_put_reason_json(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                           struct json *j)
{
    const struct causes_view view = {.search = &w->search, .symbols = v->symbols};
    return !v->delays ||
           delays_put_reason_json(v->delays, &view, c->site, kinds_of(w, c), "because", j) == REFRAIN_OK;
}
