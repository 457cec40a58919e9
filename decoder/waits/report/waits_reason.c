/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes why the ranks of a finding wait. Waiting that no rank causes has no reason. */
#include "decoder/causes/reasons/delay_reason_text.h"
#include "decoder/causes/reasons/regular.h"
#include "decoder/causes/reasons/removals.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "waits_text.h"

#include <stdlib.h>

static struct causes_view view_of(const struct waits *w, const struct waits_view *v)
{
    return (struct causes_view){
        .search = &w->search, .symbols = v->symbols, .preceding = &v->delays->preceding, .of_delays = true};
}

/* The request's kinds are the events that the metric counts. The caller frees r->by_lane. Returns
 * false if memory is short. */
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

/* The same for all waiting of the run. */
static bool start_main_request(struct reason_request *r, const struct waits *w)
{
    const struct wait_report *report = &w->report;
    uint64_t *by_lane = calloc(w->search.lanes.n + 1, sizeof *by_lane);
    if (!by_lane)
        return false;
    for (size_t i = 0; i < report->causes.n; i++)
        wait_report_add_lanes(&w->search, report->causes.items[i].metric, report->causes.items[i].site,
                              by_lane);
    *r = (struct reason_request){.site = DELAYS_ANYWHERE,
                                 .kinds = DELAYS_ANY_KIND,
                                 .time = report->waiting - report->starting,
                                 .by_lane = by_lane,
                                 .joins = true};
    return true;
}

/* Returns the removal of a finding of the report; NULL if it is not known. The first one is of all waiting. */
static const struct removal *removal_of(const struct waits *w, const struct waits_view *v,
                                        const struct wait_cause *c)
{
    const size_t number = c ? (size_t)(c - w->report.causes.items) + 1 : 0;
    return v->removals && number < v->removals->n ? &v->removals->items[number] : NULL;
}

enum refrain_status waits_find_removals(struct removals *out, const struct waits *w,
                                        const struct waits_view *v, struct critical_search *c)
{
    const struct causes_view view = view_of(w, v);
    const size_t n = w->cut ? 0 : waits_shown(w, v) + 1;
    struct reason_request *requests = calloc(n + 1, sizeof *requests);
    bool ok = requests && (n == 0 || start_main_request(&requests[0], w));
    for (size_t i = 1; ok && i < n; i++)
        ok = start_request(&requests[i], w, &w->report.causes.items[i - 1]);
    const enum refrain_status status = ok ? removals_find(out, c, &view, requests, n) : REFRAIN_ERR_MEMORY;
    for (size_t i = 0; requests && i < n; i++)
        free((void *)requests[i].by_lane);
    free(requests);
    return status;
}

/* A wrong order is a reason if it is at least this share of the waiting. It is no explanation of why a message is late:
 * computing that explains more than half of the waiting comes first. */
#define ORDER_LEAST     0.25
#define COMPUTING_FIRST 0.5

/* Parts of findings that a wrong order of receives explains. */
static const struct wrong_order {
    const char *part, *because, *first;
    bool explains; /* the other rank is late because of the order */
} wrong_orders[] = {
    {"mpi_latereceiver_wo", "the receiver waits for another message meanwhile", "that one", true},
    {"mpi_latesender_wo", "another message is there already", "this one", false},
};

/* The finding's waiting, in ns, that a wrong order explains, and which; 0 if that is no reason. */
struct order_reason {
    uint64_t time;
    const struct wrong_order *kind;
};

/* Does a call of this site take whichever message comes first? */
static bool takes_any(const struct waits *w, uint32_t site)
{
    const struct wait_search *s = &w->search;
    const struct role *role = s->reader ? &s->roles.items[s->reader->trace.sites.items[site].function] : NULL;
    return role && (role->choice == ROLE_ANY || role->choice == ROLE_SOME);
}

static struct order_reason find_order(const struct waits *w, const struct wait_cause *c)
{
    if (takes_any(w, c->site))
        return (struct order_reason){0};
    for (size_t i = 0; i < sizeof wrong_orders / sizeof wrong_orders[0]; i++) {
        const uint32_t part = metrics_find(&w->metrics, wrong_orders[i].part);
        const uint64_t time = wait_report_value(&w->report, part, c->site);
        if (w->metrics.parents[part] == c->metric && (double)time >= ORDER_LEAST * (double)c->time)
            return (struct order_reason){time, &wrong_orders[i]};
    }
    return (struct order_reason){0};
}

static void put_order(const struct wait_cause *c, const struct order_reason *order, bool is_further,
                      struct bytes *out)
{
    text_printf(out,
                "              %s %s (explains %.0f %% of this waiting): if the receiver does not need %s "
                "first, it can receive in the order in which messages are sent (MPI_ANY_SOURCE, "
                "MPI_Waitany)\n",
                is_further ? "also because" : "because", order->kind->because,
                text_percent(order->time, c->time), order->kind->first);
    text_put(out, "              that order can save at most ");
    time_put(out, order->time);
    text_put(out, " of this waiting; how long the run would take is not simulated\n");
}

/* {"seconds": …, "explains": …}: of put_order. */
static void put_order_json(const struct wait_cause *c, uint64_t time, struct json *j)
{
    if (time == 0) {
        json_null(j, "order");
        return;
    }
    json_object(j, "order");
    json_real(j, "seconds", (double)time * 1e-9);
    json_real(j, "explains", (double)time / (double)c->time);
    json_end(j);
}

static bool is_crowded(const struct waits_view *v)
{
    return v->hosts && v->hosts->crowded;
}

/* Of a metric that is no waiting for another call. */
static void put_itself(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                       struct bytes *out)
{
    const char *itself = w->metrics.items[c->metric]->itself;
    if (!itself)
        return;
    text_printf(out, "              because %s%s", itself, is_crowded(v) ? ", or waits for a processor" : "");
    causes_put_volume(&w->search, c->site, out);
    text_putc(out, '\n');
}

/* The reasons of a finding, and what they are found from. */
struct found {
    struct causes_view view;
    struct reason_request request; /* owns by_lane */
    struct reasons reasons;
};

/* NULL: of all waiting. The caller frees *f in any case. */
static bool find(struct found *f, const struct waits *w, const struct waits_view *v,
                 const struct wait_cause *c)
{
    *f = (struct found){.view = view_of(w, v)};
    return (c ? start_request(&f->request, w, c) : start_main_request(&f->request, w)) &&
           reasons_find(&f->reasons, v->delays, &f->view, &f->request) == REFRAIN_OK;
}

static void free_found(struct found *f)
{
    reasons_free(&f->reasons);
    free((void *)f->request.by_lane);
}

/* The main reasons are on the page if waiting is at least this share of the run. */
#define MAIN_LEAST 0.01

/* Are the main reasons of all waiting on the page? Then each of several findings has only its first reason. */
static bool has_main(const struct waits *w, const struct waits_view *v)
{
    return v->metric == METRIC_NONE &&
           (double)(w->report.waiting - w->report.starting) >= MAIN_LEAST * (double)w->report.run;
}

/* The one that explains more comes first. */
static bool comes_first(const struct order_reason *order, const struct wait_cause *c, const struct reasons *r)
{
    if (r->n == 0)
        return true;
    const struct reason *first = &r->items[0];
    const bool computes = critical_activity(first->places->lanes.items[0].key) == CRITICAL_COMPUTING;
    return (double)order->time >= first->explains * (double)c->time &&
           (order->kind->explains || !computes || first->explains < COMPUTING_FIRST);
}

void waits_put_reason(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                      struct reasons_said *said, struct bytes *out)
{
    const struct order_reason order = find_order(w, c);
    struct found f;
    /* Estimated times cannot be reasons. */
    if (!v->delays || w->cut)
        return;
    const bool ok = find(&f, w, v, c);
    const bool orders_first = order.time > 0 && (!ok || comes_first(&order, c, &f.reasons));
    if (orders_first)
        put_order(c, &order, false, out);
    put_itself(w, v, c, out);
    if (ok) {
        const struct reason_text text = {.view = &f.view,
                                         .request = &f.request,
                                         .removal = removal_of(w, v, c),
                                         .said = said,
                                         .most = has_main(w, v) && w->report.causes.n > 1 ? 1 : 0,
                                         .crowded = is_crowded(v),
                                         .is_further = orders_first};
        reasons_put(&f.reasons, &text, out);
    } else {
        out->failed = true;
    }
    if (order.time > 0 && !orders_first)
        put_order(c, &order, true, out);
    free_found(&f);
}

/* Can the page say why ranks wait? A report of a trace without times has no search. */
static bool has_why(const struct waits *w, const struct waits_view *v)
{
    return v->delays && !w->cut && v->metric == METRIC_NONE && w->search.reader;
}

static void put_regular(const struct waits *w, const struct waits_view *v, struct bytes *out)
{
    const struct causes_view view = view_of(w, v);
    struct regular regular;
    if (regular_find(&regular, v->delays, &w->search.lanes, &w->search.reader->trace, w->report.length) ==
        REFRAIN_OK)
        regular_put(&regular, &view, w->report.length, out);
    else
        out->failed = true;
}

static void put_main(const struct waits *w, const struct waits_view *v, const char *heading,
                     struct bytes *out)
{
    struct found f;
    const bool ok = find(&f, w, v, NULL);
    if (ok && f.reasons.n > 0 && (w->report.causes.n > 1 || f.reasons.items[0].n_places > 1)) {
        const struct reason_text text = {.view = &f.view,
                                         .request = &f.request,
                                         .removal = removal_of(w, v, NULL),
                                         .crowded = is_crowded(v)};
        struct bytes lines = {0};
        reasons_put_main(&f.reasons, &text, &lines);
        text_put(out, lines.n > 0 ? heading : "");
        bytes_put(out, lines.data, lines.n);
        out->failed = out->failed || lines.failed;
        bytes_free(&lines);
    }
    out->failed = out->failed || !ok;
    free_found(&f);
}

void waits_put_main(const struct waits *w, const struct waits_view *v, const char *before,
                    const char *heading, struct bytes *out)
{
    struct bytes lines = {0};
    if (!has_why(w, v))
        return;
    put_regular(w, v, &lines);
    if (has_main(w, v))
        put_main(w, v, heading, &lines);
    text_put(out, lines.n > 0 ? before : "");
    bytes_put(out, lines.data, lines.n);
    out->failed = out->failed || lines.failed;
    bytes_free(&lines);
}

bool waits_put_main_json(const struct waits *w, const struct waits_view *v, struct json *j)
{
    struct found f;
    if (!has_why(w, v))
        return true;
    const struct causes_view view = view_of(w, v);
    struct regular regular;
    bool ok = regular_find(&regular, v->delays, &w->search.lanes, &w->search.reader->trace,
                           w->report.length) == REFRAIN_OK;
    if (ok)
        regular_put_json(&regular, &view, w->report.length, j);
    ok = find(&f, w, v, NULL) && ok;
    if (ok)
        reasons_put_main_json(
            &f.reasons,
            &(struct reason_text){.view = &f.view, .request = &f.request, .removal = removal_of(w, v, NULL)},
            j);
    free_found(&f);
    return ok;
}

bool waits_put_reason_json(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                           struct json *j)
{
    struct found f;
    if (!v->delays || w->cut)
        return true;
    put_order_json(c, find_order(w, c).time, j);
    const bool ok = find(&f, w, v, c);
    if (ok) {
        const struct reason_text text = {
            .view = &f.view, .request = &f.request, .removal = removal_of(w, v, c)};
        reasons_put_json(&f.reasons, &text, j);
    }
    free_found(&f);
    return ok;
}
