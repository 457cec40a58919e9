/* SPDX-License-Identifier: BSD-3-Clause */
#include "annotations.h"

#include "decoder/stat/run_begin.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "logical_walk.h"
#include "src/core/base/log.h"
#include "statement_text.h"

#include <stdlib.h>
#include <string.h>

/* Calls that are no statements are shown if they take this share of the run. */
#define AFTER_LEAST 0.001

struct noting {
    struct annotations *notes;
    const struct logical *logical;
    struct call_event_source source;
    struct event_lane lane;
    struct timestamps_source times; /* for ANNOTATE_TIMES */
    struct roles roles;             /* for ANNOTATE_TIMES */
    struct timed_lane timed;
    /* of the run; with synthetic times, after the process's own MPI_Init */
    uint64_t begin, end;
    uint64_t next_call;      /* of `timed` */
    struct annotation *last; /* the last statement; NULL: none */
    bool *wanted;            /* by process */
};

/* ---- one event ------------------------------------------------------------------------------- */

static void note_site(struct annotation *note, uint32_t site)
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

static bool is_verb(const struct logical *l, const struct step *s, const char *verb)
{
    const char *text = text_table_at(&l->forms, s->form);
    return l->forms.items.items[s->form].n > strlen(verb) && memcmp(text, verb, strlen(verb)) == 0;
}

/* Notes bytes in one direction: a call may have a send and a receive, and an operation may have
 * equal bytes on both sides. */
static enum refrain_status note_bytes(struct noting *n, struct annotation *note, const struct step *s,
                                      size_t place)
{
    struct volume v;
    const enum refrain_status status = event_lane_volume(&n->lane, &v);
    if (status != REFRAIN_OK)
        return status;
    const uint64_t bytes = is_verb(n->logical, s, "send ")   ? v.sent
                           : is_verb(n->logical, s, "recv ") ? v.received
                           : v.sent > v.received             ? v.sent
                                                             : v.received;
    if (!note->bytes.values) {
        note->bytes.cells = 1;
        note->bytes.values = arena_array(&n->notes->arena, s->n_processes, sizeof *note->bytes.values);
        note->bytes.coefs = arena_array(&n->notes->arena, s->depth + 1, sizeof *note->bytes.coefs);
        if (!note->bytes.values || !note->bytes.coefs)
            return REFRAIN_ERR_MEMORY;
        for (uint32_t i = 0; i < s->n_processes; i++)
            note->bytes.values[i] = UINT64_MAX;
        note->least = UINT64_MAX;
    }
    uint64_t *value = &note->bytes.values[place];
    note->varies = note->varies || (*value != UINT64_MAX && *value != bytes);
    *value = bytes;
    note->least = bytes < note->least ? bytes : note->least;
    note->most = bytes > note->most ? bytes : note->most;
    return REFRAIN_OK;
}

static uint64_t duration(const struct noting *n)
{
    return run_part(n->begin, n->timed.timestamp.enter, n->timed.timestamp.leave);
}

/* Notes a call that is no statement. Calls after MPI_Finalize, the program's last call, belong to
 * no statement. */
static void note_after(struct noting *n)
{
    const char *function = reader_function(n->notes->reader, n->timed.call.site);
    unsigned i = 0;
    if (!n->last || strcmp(function, "MPI_Finalize") == 0)
        return;
    while (i + 1 < ANNOTATE_AFTER_MOST && n->last->after[i].function &&
           strcmp(n->last->after[i].function, function) != 0)
        i++;
    n->last->after[i].function = function;
    n->last->after[i].time += duration(n);
}

/* Walks to the time of a call. All calls are visited, because times may be means. */
static enum refrain_status reach(struct noting *n, uint64_t call)
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

static enum refrain_status visit(struct logical_walk *w, const struct step *s, const uint64_t *indices)
{
    struct noting *n = w->context;
    struct annotation *note = &n->notes->items[s->number];
    enum refrain_status status = event_lane_seek(&n->lane, w->number);
    (void)indices;
    if (status != REFRAIN_OK)
        return status;
    note_site(note, n->lane.call.site);
    note->calls++;
    if (n->notes->what & ANNOTATE_SIZES)
        status = note_bytes(n, note, s, step_place(s, w->process));
    /* A call that sends and receives has several events; its time belongs to the first one. */
    if (n->notes->what & ANNOTATE_TIMES && status == REFRAIN_OK && n->next_call <= n->lane.call.index) {
        status = reach(n, n->lane.call.index);
        note->time += duration(n);
        n->last = note;
    }
    return status;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* Chooses for each statement its first process, unless an already chosen process executes it,
 * too. */
static void choose(struct noting *n, const struct steps *steps)
{
    for (size_t i = 0; i < steps->n; i++) {
        const struct step *s = steps->items[i];
        bool any = false;
        if (s->kind == STEP_LOOP)
            choose(n, &s->body);
        for (uint32_t k = 0; s->kind == STEP_EVENT && k < s->n_processes && !any; k++)
            any = n->wanted[s->processes[k]];
        if (s->kind == STEP_EVENT && !any)
            n->wanted[s->processes[0]] = true;
    }
}

static enum refrain_status walk_process(struct noting *n, uint32_t process)
{
    const struct model_process *p = &n->logical->model->processes.items[process];
    struct logical_walk w = {
        .logical = n->logical, .process = process, .once = n->notes->what == 0, .visit = visit, .context = n};
    struct lane_ref lane;
    enum refrain_status status = event_lane_find(n->notes->reader, p->rank, p->thread, &lane);
    if (status == REFRAIN_OK)
        status = call_event_lane(&n->source, &lane);
    if (status == REFRAIN_OK)
        status = event_lane_start(&n->lane, &n->source, &lane);
    if (status != REFRAIN_OK)
        return status;
    n->next_call = 0;
    n->last = NULL;
    n->begin = n->times.synthetic ? 0 : n->begin;
    if (n->notes->what & ANNOTATE_TIMES)
        status = timed_lane_start(&n->timed, n->notes->reader, &n->times, &lane);
    if (status == REFRAIN_OK)
        status = logical_walk(&w);
    if (status == REFRAIN_OK && n->notes->what & ANNOTATE_TIMES) {
        status = reach(n, UINT64_MAX - 1);
        n->notes->run += run_part(n->begin, 0, n->times.synthetic ? n->timed.timestamp.leave : n->end);
    }
    timed_lane_stop(&n->timed);
    event_lane_stop(&n->lane);
    return status;
}

static enum refrain_status walk_processes(struct noting *n)
{
    const struct logical *l = n->logical;
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->sections.n; i++)
        choose(n, &l->sections.items[i].body);
    for (size_t i = 0; i < l->procedures.n; i++)
        choose(n, &l->procedures.items[i].body);
    for (uint32_t i = 0; i < l->model->processes.n && status == REFRAIN_OK; i++) {
        if (n->wanted[i] || n->notes->what & (ANNOTATE_SIZES | ANNOTATE_TIMES))
            status = walk_process(n, i);
    }
    return status;
}

static enum refrain_status find_times(struct noting *n, const struct reader *r)
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

enum refrain_status annotations_create(struct annotations *notes, const struct logical *l,
                                       const struct reader *r, const struct definitions *d,
                                       const struct symbols *s, unsigned what)
{
    struct noting n = {.notes = notes, .logical = l};
    struct event_templates templates = {0};
    *notes = (struct annotations){.what = what, .reader = r, .symbols = s};
    notes->items = calloc(l->n_events + 1, sizeof *notes->items);
    n.wanted = calloc(l->model->processes.n + 1, sizeof *n.wanted);
    enum refrain_status status = notes->items && n.wanted ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if (status != REFRAIN_OK)
        log_error("out of memory: notes of %u statements", l->n_events);
    if (status == REFRAIN_OK && what & ANNOTATE_TIMES)
        status = find_times(&n, r);
    if (status == REFRAIN_OK)
        status = call_event_source_create(&n.source, r, d, CALL_EVENT_MESSAGES, &templates);
    if (status == REFRAIN_OK) {
        status = walk_processes(&n);
        call_event_source_free(&n.source);
    }
    timestamps_source_free(&n.times);
    roles_free(&n.roles);
    event_templates_free(&templates);
    free(n.wanted);
    if (status != REFRAIN_OK)
        annotations_free(notes);
    return status;
}

void annotations_free(struct annotations *n)
{
    arena_free(&n->arena);
    free(n->items);
    *n = (struct annotations){0};
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Writes the separator between two notes. */
static void put_comma(struct bytes *out, size_t before)
{
    text_put(out, out->n > before ? ", " : "");
}

static void put_sites(const struct annotations *n, const struct annotation *note, struct bytes *out)
{
    for (uint32_t i = 0; i < note->n_sites && i < ANNOTATE_SITES_MOST; i++) {
        const size_t before = out->n;
        site_put_text(&n->reader->trace, n->symbols, note->sites[i], out);
        if (out->n > before && i + 1 < note->n_sites)
            text_put(out, i + 1 < ANNOTATE_SITES_MOST ? "; " : "; …");
    }
}

static void put_bytes(const struct logical *l, const struct annotation *note, const struct step *s,
                      struct bytes *out)
{
    bool all = !note->varies;
    for (uint32_t i = 0; i < s->n_processes && all; i++)
        all = note->bytes.values[i] != UINT64_MAX;
    if (all) {
        statement_put_number(l, s, &note->bytes, false, NULL, out);
    } else {
        text_uint(out, note->least);
        text_put(out, " to ");
        text_uint(out, note->most);
    }
    text_put(out, note->least == 1 && note->most == 1 ? " byte" : " bytes");
}

/* Writes the calls after the statement if they matter: the most expensive function, and the time
 * of all. */
static void put_after(const struct annotations *n, const struct annotation *note, struct bytes *out)
{
    unsigned most = 0, functions = 0;
    uint64_t all = 0;
    for (; functions < ANNOTATE_AFTER_MOST && note->after[functions].function; functions++) {
        all += note->after[functions].time;
        most = note->after[functions].time > note->after[most].time ? functions : most;
    }
    const double share = n->run > 0 ? (double)all / (double)n->run : 0;
    if (share >= AFTER_LEAST)
        text_printf(out, ", then %s%s %.2g %%", note->after[most].function,
                    functions > 1 ? " and others" : "", 100 * share);
}

void annotations_put(const struct annotations *n, const struct logical *l, const struct step *s,
                     struct bytes *out)
{
    const struct annotation *note = &n->items[s->number];
    const size_t before = out->n;
    if (n->what & ANNOTATE_SITES)
        put_sites(n, note, out);
    if (n->what & ANNOTATE_SIZES && note->most > 0) {
        put_comma(out, before);
        put_bytes(l, note, s, out);
    }
    if (n->what & ANNOTATE_TIMES && note->calls > 0) {
        put_comma(out, before);
        text_time(out, (double)note->time / (double)note->calls);
        if (n->run > 0)
            text_printf(out, ", %.2g %%", 100.0 * (double)note->time / (double)n->run);
        put_after(n, note, out);
    }
}
