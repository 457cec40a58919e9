/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_notes.h"

#include "decoder/stat/run_begin.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"

#include <string.h>

/* What calls that are no statements take, as a share of the run, to be told. */
#define AFTER_LEAST 0.001

/* ---- all lanes ------------------------------------------------------------------------------- */

static enum refrain_status find_times(struct event_noting *n, const struct reader *r)
{
    enum refrain_status status = roles_find(&n->roles, &r->trace.functions);
    if (status == REFRAIN_OK)
        status = timestamps_source_create(&n->times, r, true);
    if (status == REFRAIN_OK && !n->times.synthetic)
        status = run_begin_find(&n->begin, r, &n->times, &n->roles);
    if (status == REFRAIN_OK && !n->times.synthetic)
        status = run_end_find(&n->end, r, &n->times);
    return status;
}

enum refrain_status event_noting_create(struct event_noting *n, const struct reader *r,
                                        const struct definitions *d, enum call_event_mode mode, unsigned what)
{
    *n = (struct event_noting){.what = what, .reader = r};
    enum refrain_status status = what & ANNOTATE_TIMES ? find_times(n, r) : REFRAIN_OK;
    return status == REFRAIN_OK ? call_event_source_create(&n->source, r, d, mode, &n->templates) : status;
}

void event_noting_free(struct event_noting *n)
{
    call_event_source_free(&n->source);
    timestamps_source_free(&n->times);
    roles_free(&n->roles);
    event_templates_free(&n->templates);
    *n = (struct event_noting){0};
}

/* ---- one event ------------------------------------------------------------------------------- */

static void note_site(struct event_note *note, uint32_t site)
{
    const uint32_t known = note->n_sites < ANNOTATE_SITES_MOST ? note->n_sites : ANNOTATE_SITES_MOST;
    for (uint32_t i = 0; i < known; i++) {
        if (note->sites[i] == site)
            return;
    }
    if (known < ANNOTATE_SITES_MOST)
        note->sites[known] = site;
    note->n_sites = known + 1;
}

static uint64_t duration(const struct event_noting *n)
{
    return run_part(n->begin, n->timed.timestamp.enter, n->timed.timestamp.leave);
}

/* A call that is no statement. What comes after the program's last one, MPI_Finalize, belongs to none. */
static void note_after(struct event_noting *n)
{
    const char *function = reader_function(n->reader, n->timed.call.site);
    unsigned i = 0;
    if (!n->last || strcmp(function, "MPI_Finalize") == 0)
        return;
    while (i + 1 < ANNOTATE_AFTER_MOST && n->last->after[i].function &&
           strcmp(n->last->after[i].function, function) != 0)
        i++;
    n->last->after[i].function = function;
    n->last->after[i].time += duration(n);
}

/* When a call was made: all calls are gone through, since times may be made of means. */
static enum refrain_status reach(struct event_noting *n, uint64_t call)
{
    enum refrain_status status = REFRAIN_OK;
    while (n->next_call <= call && status == REFRAIN_OK && timed_lane_next(&n->timed, &status)) {
        n->next_call = n->timed.call.index + 1;
        if (n->times.synthetic && n->roles.items[n->timed.call.function].actions & ROLE_INIT)
            n->begin = n->timed.timestamp.leave;
        if (n->timed.call.index < call)
            note_after(n);
    }
    return status;
}

enum refrain_status event_noting_take(struct event_noting *n, uint64_t number, struct event_note *note)
{
    enum refrain_status status = event_lane_seek(&n->lane, number);
    if (status != REFRAIN_OK)
        return status;
    note_site(note, n->lane.call.site);
    note->calls++;
    /* A call that sends and receives is several events: the first one has its time. */
    if (n->what & ANNOTATE_TIMES && n->next_call <= n->lane.call.index) {
        status = reach(n, n->lane.call.index);
        note->time += duration(n);
        n->last = note;
    }
    return status;
}

static bool is_verb(const char *verb, size_t length, const char *wanted)
{
    return length == strlen(wanted) && memcmp(verb, wanted, length) == 0;
}

/* What goes one way: a call may have a send and a receive, and an operation the same on both sides. */
enum refrain_status event_noting_bytes(struct event_noting *n, const char *verb, size_t length,
                                       struct event_note *note, uint64_t *bytes)
{
    struct volume v;
    const enum refrain_status status = event_lane_volume(&n->lane, &v);
    if (status != REFRAIN_OK)
        return status;
    *bytes = is_verb(verb, length, "send")   ? v.sent
             : is_verb(verb, length, "recv") ? v.received
             : v.sent > v.received           ? v.sent
                                             : v.received;
    note->least = !note->sized || *bytes < note->least ? *bytes : note->least;
    note->most = *bytes > note->most ? *bytes : note->most;
    note->sized = true;
    return REFRAIN_OK;
}

/* ---- a lane ---------------------------------------------------------------------------------- */

enum refrain_status event_noting_start(struct event_noting *n, uint32_t rank, uint32_t thread)
{
    struct lane_ref lane;
    enum refrain_status status = event_lane_find(n->reader, rank, thread, &lane);
    if (status == REFRAIN_OK)
        status = call_event_lane(&n->source, &lane);
    if (status == REFRAIN_OK)
        status = event_lane_start(&n->lane, &n->source, &lane);
    if (status != REFRAIN_OK)
        return status;
    n->next_call = 0;
    n->last = NULL;
    n->begin = n->times.synthetic ? 0 : n->begin;
    return n->what & ANNOTATE_TIMES ? timed_lane_start(&n->timed, n->reader, &n->times, &lane) : REFRAIN_OK;
}

enum refrain_status event_noting_end(struct event_noting *n)
{
    enum refrain_status status = REFRAIN_OK;
    if (n->what & ANNOTATE_TIMES) {
        status = reach(n, UINT64_MAX - 1);
        n->run += run_part(n->begin, 0, n->times.synthetic ? n->timed.timestamp.leave : n->end);
    }
    return status;
}

void event_noting_stop(struct event_noting *n)
{
    timed_lane_stop(&n->timed);
    event_lane_stop(&n->lane);
}

/* ---- text ------------------------------------------------------------------------------------ */

void event_note_put_sites(const struct event_note *note, const struct reader *r, const struct symbols *s,
                          struct bytes *out)
{
    for (uint32_t i = 0; i < note->n_sites && i < ANNOTATE_SITES_MOST; i++) {
        const size_t before = out->n;
        site_put_text(&r->trace, s, note->sites[i], out);
        if (out->n > before && i + 1 < note->n_sites)
            text_put(out, i + 1 < ANNOTATE_SITES_MOST ? "; " : "; …");
    }
}

void event_note_put_bytes(const struct event_note *note, struct bytes *out)
{
    text_uint(out, note->least);
    if (note->most > note->least) {
        text_put(out, " to ");
        text_uint(out, note->most);
    }
    text_put(out, note->least == 1 && note->most == 1 ? " byte" : " bytes");
}

/* Where it matters: the function that takes most, and the time of all. */
static void put_after(const struct event_note *note, uint64_t run, struct bytes *out)
{
    unsigned most = 0, functions = 0;
    uint64_t all = 0;
    for (; functions < ANNOTATE_AFTER_MOST && note->after[functions].function; functions++) {
        all += note->after[functions].time;
        most = note->after[functions].time > note->after[most].time ? functions : most;
    }
    const double share = run > 0 ? (double)all / (double)run : 0;
    if (share >= AFTER_LEAST)
        text_printf(out, ", then %s%s %.2g %%", note->after[most].function,
                    functions > 1 ? " and others" : "", 100 * share);
}

void event_note_put_times(const struct event_note *note, uint64_t run, struct bytes *out)
{
    text_time(out, (double)note->time / (double)note->calls);
    if (run > 0)
        text_printf(out, ", %.2g %%", 100.0 * (double)note->time / (double)run);
    put_after(note, run, out);
}
