/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_profile.h"

#include "decoder/stat/region_sums.h"
#include "decoder/util/text.h"
#include "decoder/waits/report/program_places.h"
#include "report_words.h"
#include "run_model.h"
#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct run_quantity run_facts[FACTS] = {
    [FACT_RANKS] = {"ranks", "ranks", UNIT_NUMBER},
    [FACT_RUN] = {"run", "run, without MPI_Init", UNIT_SECONDS},
    [FACT_INIT] = {"init", "MPI_Init", UNIT_SECONDS},
    [FACT_COMPUTATION] = {"computation", "computation", UNIT_SECONDS},
    [FACT_MPI] = {"mpi", "MPI, without MPI_Init", UNIT_SECONDS},
    [FACT_WAITING] = {"waiting", "waiting", UNIT_SECONDS},
    [FACT_EFFICIENCY] = {"efficiency", "parallel efficiency", UNIT_SHARE},
    [FACT_BALANCE] = {"load_balance", "load balance", UNIT_SHARE},
    [FACT_COMMUNICATION] = {"communication", "communication efficiency", UNIT_SHARE},
    [FACT_CALLS] = {"calls", "calls, all ranks", UNIT_NUMBER},
    [FACT_MESSAGES] = {"messages", "messages, all ranks", UNIT_NUMBER},
    [FACT_BYTES] = {"message_bytes", "sent in messages, all", UNIT_BYTES},
    [FACT_SENT] = {"collective_sent", "sent in collectives, all", UNIT_BYTES},
    [FACT_RECEIVED] = {"collective_received", "received in them, all", UNIT_BYTES},
};

const struct run_quantity place_values[PLACE_VALUES] = {
    [PLACE_TIME] = {"time", "time", UNIT_SECONDS},
    [PLACE_WAITING] = {"waiting", "waiting", UNIT_SECONDS},
    [PLACE_CALLS] = {"calls", "calls", UNIT_NUMBER},
    [PLACE_SENT] = {"sent", "sent", UNIT_BYTES},
    [PLACE_RECEIVED] = {"received", "received", UNIT_BYTES},
};

const char *const run_places_keys[PLACES_KINDS] = {"sites", "functions", "regions"};

/* ---- facts ----------------------------------------------------------------------------------- */

static double seconds(const struct report *r, uint64_t time)
{
    return (double)time / 1e9 / r->costs.threads;
}

static void set(struct run_profile *p, enum run_fact fact, bool known, double value)
{
    p->knows[fact] = known;
    p->facts[fact] = known ? value : 0;
}

static void set_facts(struct run_profile *p, const struct report *r)
{
    const struct costs *c = &r->costs;
    struct efficiency e = {0};
    const bool known = report_efficiency(r, &e);
    const double balance = known ? efficiency_load_balance(&e) : 0,
                 communication = known ? efficiency_communication(&e) : 0;
    set(p, FACT_RANKS, true, r->reader->trace.n_ranks);
    set(p, FACT_RUN, c->timed, (double)report_run(r) / 1e9);
    set(p, FACT_INIT, c->timed, (double)c->init / 1e9 / c->ranks);
    set(p, FACT_COMPUTATION, c->timed, seconds(r, c->computing));
    set(p, FACT_MPI, c->timed, seconds(r, c->mpi));
    set(p, FACT_WAITING, r->timed, r->timed ? seconds(r, report_waiting(r)) : 0);
    set(p, FACT_EFFICIENCY, known, balance * communication);
    set(p, FACT_BALANCE, known, balance);
    set(p, FACT_COMMUNICATION, known, communication);
    set(p, FACT_CALLS, true, (double)c->calls);
    set(p, FACT_MESSAGES, true, (double)r->traffic.all.messages);
    set(p, FACT_BYTES, true, (double)r->traffic.all.bytes);
    set(p, FACT_SENT, true, (double)r->statistics.collective_sent);
    set(p, FACT_RECEIVED, true, (double)r->statistics.collective_received);
}

/* ---- call sites ------------------------------------------------------------------------------ */

/* Writes "exchange"; for a function that is only an address, "app": addresses differ between
 * builds. */
static void put_function(const char *name, struct bytes *out)
{
    const char *offset = strstr(name, "+0x");
    bytes_put(out, name, offset ? (size_t)(offset - name) : strlen(name));
}

/* " < exchange < main" */
static void put_callers(const struct call_paths *p, uint32_t path, struct bytes *out)
{
    for (path = p->items.items[path].parent; path != MAP_NONE && path != 0;
         path = p->items.items[path].parent) {
        text_put(out, " < ");
        put_function(text_table_at(&p->functions, p->items.items[path].function), out);
    }
}

/* Writes "MPI_Recv exchange (halo.c:31) < main", with the functions of callers only. */
static void put_site(const struct report *r, uint32_t site, struct bytes *out)
{
    const struct call_paths *p = &r->paths;
    const uint32_t path = p->of_site[site], caller = p->items.items[path].parent;
    text_put(out, reader_function(r->reader, site));
    text_putc(out, ' ');
    report_put_site(r, site, out);
    if (caller != MAP_NONE)
        put_callers(p, caller, out);
}

static void set_line(const struct report *r, uint32_t site, struct run_place *place)
{
    const struct site *s = &r->reader->trace.sites.items[site];
    const uint32_t line = r->paths.items.items[r->paths.of_site[site]].line;
    place->has_line = line > 0;
    place->line = line > 0 ? line : s->n_frames > 0 ? s->frames[0].offset : 0;
}

/* Adds the bytes as a text of the profile and empties them. */
static enum refrain_status intern(struct run_profile *p, struct bytes *text, uint32_t *number)
{
    bytes_put_u8(text, '\0');
    const enum refrain_status status =
        text->failed ? REFRAIN_ERR_MEMORY : text_table_intern(&p->texts, text->data, text->n, number);
    text->n = 0;
    return status;
}

static enum refrain_status add_site(struct run_profile *p, const struct report *r, const struct cost *c,
                                    const double *waiting, struct bytes *text)
{
    const bool has_site = costs_has_site(c);
    struct run_place place = {.is_init = c->is_init};
    if (has_site)
        set_line(r, c->site, &place);
    text_put(text, costs_name(r->reader, c));
    if (has_site)
        put_callers(&r->paths, r->paths.of_site[c->site], text);
    enum refrain_status status = intern(p, text, &place.key);
    if (has_site)
        put_site(r, c->site, text);
    else
        text_put(text, costs_name(r->reader, c));
    if (status == REFRAIN_OK)
        status = intern(p, text, &place.name);
    place.values[PLACE_TIME] = (double)c->time / 1e9 / (c->is_init ? r->costs.ranks : r->costs.threads);
    place.values[PLACE_WAITING] = waiting && has_site ? waiting[c->site] / 1e9 / r->costs.threads : 0;
    place.values[PLACE_CALLS] = (double)c->calls;
    place.values[PLACE_SENT] = (double)c->sent;
    place.values[PLACE_RECEIVED] = (double)c->received;
    return status == REFRAIN_OK && !array_push(&p->places[PLACES_SITES].items, place) ? REFRAIN_ERR_MEMORY
                                                                                      : status;
}

/* Returns the waiting of all threads in ns at each of the search's n places. The caller frees
 * it. */
static double *waiting_of(const struct waits *w, size_t n)
{
    double *waiting = calloc(n + 1, sizeof *waiting);
    for (size_t i = 0; waiting && i < w->report.causes.n; i++) {
        const struct wait_cause *c = &w->report.causes.items[i];
        if (c->site < n && metrics_is_waiting(&w->metrics, c->metric))
            waiting[c->site] += (double)c->time;
    }
    return waiting;
}

static enum refrain_status add_sites(struct run_profile *p, const struct report *r)
{
    struct bytes text = {0};
    double *waiting = r->timed ? waiting_of(&r->waits, r->reader->trace.sites.n) : NULL;
    enum refrain_status status = r->timed && !waiting ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    for (size_t i = 0; i < r->costs.items.n && status == REFRAIN_OK; i++)
        status = add_site(p, r, &r->costs.items.items[i], waiting, &text);
    free(waiting);
    bytes_free(&text);
    return status;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* In a key, the callers follow the function. */
static enum refrain_status add_function(struct run_profile *p, const struct run_place *site,
                                        struct bytes *text)
{
    struct run_place_list *list = &p->places[PLACES_FUNCTIONS];
    const char *key = run_place_key(p, site), *behind = strstr(key, " < ");
    uint32_t number;
    bytes_put(text, key, behind ? (size_t)(behind - key) : strlen(key));
    const enum refrain_status status = intern(p, text, &number);
    size_t i = 0;
    if (status != REFRAIN_OK)
        return status;
    while (i < list->items.n && list->items.items[i].key != number)
        i++;
    const struct run_place none = {.key = number, .name = number};
    if (i == list->items.n && !array_push(&list->items, none))
        return REFRAIN_ERR_MEMORY;
    for (int v = 0; v < PLACE_VALUES; v++)
        list->items.items[i].values[v] += site->values[v];
    list->items.items[i].is_init = site->is_init;
    return REFRAIN_OK;
}

static enum refrain_status add_functions(struct run_profile *p)
{
    struct bytes text = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < p->places[PLACES_SITES].items.n && status == REFRAIN_OK; i++)
        status = add_function(p, &p->places[PLACES_SITES].items.items[i], &text);
    bytes_free(&text);
    return status;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* Returns the waiting in the region with this name; `names` and `all` number regions
 * differently. */
static double waiting_in(const double *waiting, const struct text_table *names, const struct text_table *all,
                         uint32_t number)
{
    const struct text_item *name = &all->items.items[number];
    const uint32_t place = text_table_find(names, text_table_at(all, number), name->n);
    return place == MAP_NONE ? 0 : waiting[place + 1];
}

static enum refrain_status add_region(struct run_profile *p, const struct report *r, const char *name,
                                      size_t n, const struct region_share *own, double waiting)
{
    struct bytes text = {0};
    struct run_place place = {0};
    text_put_word(&text, name, n);
    const enum refrain_status status = intern(p, &text, &place.key);
    bytes_free(&text);
    place.name = place.key;
    place.values[PLACE_TIME] = seconds(r, own->time);
    place.values[PLACE_WAITING] = waiting / 1e9 / r->costs.threads;
    place.values[PLACE_CALLS] = (double)own->calls;
    return status == REFRAIN_OK && !array_push(&p->places[PLACES_REGIONS].items, place) ? REFRAIN_ERR_MEMORY
                                                                                        : status;
}

static enum refrain_status put_regions(struct run_profile *p, const struct report *r,
                                       const struct region_sums *s, const double *waiting,
                                       const struct text_table *names)
{
    static const char outside[] = "(outside)";
    enum refrain_status status = REFRAIN_OK;
    for (uint32_t i = 0; i < s->items.n && status == REFRAIN_OK; i++)
        status = add_region(p, r, text_table_at(&s->names, i), s->names.items.items[i].n,
                            &s->items.items[i].own, waiting ? waiting_in(waiting, names, &s->names, i) : 0);
    return status == REFRAIN_OK
               ? add_region(p, r, outside, sizeof outside - 1, &s->outside.own, waiting ? waiting[0] : 0)
               : status;
}

/* Searches for waiting again, by region. */
static enum refrain_status add_regions(struct run_profile *p, const struct report *r)
{
    const struct ranges all = {0};
    struct wait_places places = {0};
    struct text_table names = {0};
    struct region_sums sums;
    struct waits waits = {0};
    struct waits_request request = {.to = UINT64_MAX, .metric = METRIC_NONE, .places = &places};
    double *waiting = NULL;
    enum refrain_status status = region_sums_compute(&sums, r->reader, &all);
    if (status != REFRAIN_OK)
        return status;
    if (r->timed && (status = region_places_create(&places, &names, r->reader)) == REFRAIN_OK &&
        (status = waits_find(&waits, r->reader, &r->definitions, &request)) == REFRAIN_OK) {
        waiting = waiting_of(&waits, names.items.n + 1);
        status = waiting ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK)
        status = put_regions(p, r, &sums, waiting, &names);
    free(waiting);
    waits_free(&waits);
    wait_places_free(&places);
    text_table_free(&names);
    region_sums_free(&sums);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void set_known(struct run_profile *p, const struct report *r)
{
    for (int kind = 0; kind < PLACES_KINDS; kind++) {
        bool *knows = p->places[kind].knows;
        knows[PLACE_TIME] = r->costs.timed;
        knows[PLACE_WAITING] = r->timed;
        knows[PLACE_CALLS] = true;
        knows[PLACE_SENT] = knows[PLACE_RECEIVED] = kind != PLACES_REGIONS;
    }
}

/* Returns "app" for "./bin/app 100". */
static char *program_of(const struct report *r)
{
    const char *command = report_meta(r, "command");
    size_t end = strcspn(command, " "), begin = end;
    while (begin > 0 && command[begin - 1] != '/')
        begin--;
    return strndup(command + begin, end - begin);
}

static void set_file(struct run_profile *p, const struct reader *r)
{
    struct stat file;
    if (stat(r->path, &file) != 0)
        return;
    p->device = file.st_dev;
    p->inode = file.st_ino;
}

enum refrain_status run_profile_create(struct run_profile *p, const struct report *r)
{
    bool regions = false;
    *p = (struct run_profile){.file = strdup(r->reader->path),
                              .program = program_of(r),
                              .ranks = r->reader->trace.n_ranks,
                              .threads = r->costs.threads,
                              .cut_off = endings_are_cut_off(&r->endings),
                              .has_means = r->costs.timed && !r->timed};
    set_file(p, r->reader);
    set_facts(p, r);
    set_known(p, r);
    enum refrain_status status = p->file && p->program ? add_sites(p, r) : REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK)
        status = add_functions(p);
    if (status == REFRAIN_OK && r->model.all)
        status = run_model_put(r, &p->model);
    if (status == REFRAIN_OK)
        status = region_sums_exist(r->reader, &regions);
    if (status == REFRAIN_OK && regions)
        status = add_regions(p, r);
    if (status != REFRAIN_OK) {
        log_error("%s: this run cannot be compared", r->reader->path);
        run_profile_free(p);
    }
    return status;
}

void run_profile_free(struct run_profile *p)
{
    for (int kind = 0; kind < PLACES_KINDS; kind++)
        array_free(&p->places[kind].items);
    text_table_free(&p->texts);
    bytes_free(&p->model);
    free(p->file);
    free(p->program);
    *p = (struct run_profile){0};
}
