/* SPDX-License-Identifier: BSD-3-Clause */
#include "phases.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "displacement.h"
#include "topology_name.h"

#include <stdlib.h>
#include <string.h>

/* Loops are examined down to this depth. */
#define DEPTH_MOST 6

struct dividing {
    struct phases *phases;
    const struct reader *reader;
    const struct definitions *definitions;
    const struct model *model;
    const struct pattern_library *library;
    const struct survey *run;
    struct survey_choice choice;
};

struct segments {
    ARRAY(struct construct_range) items;
};

static bool is_collective(const struct model *m, const struct construct *c)
{
    const struct event_template *template = &m->templates->items.items[c->acts[0].template];
    const char *text = event_template_text(m->templates, template);
    static const char word[] = {EVENT_RANK, ' ', 's', 'y', 'n', 'c', ' '};
    return template->n > sizeof word && memcmp(text, word, sizeof word) == 0;
}

/* Divides a body into loops and the sections between loops and collective operations. `path` has
 * the levels above the body. */
static enum refrain_status divide(const struct model *m, const struct system *body,
                                  struct construct_path *path, struct segments *out)
{
    bool open = false;
    for (size_t i = 0; i < body->n; i++) {
        const struct construct *c = body->items[i];
        const bool loop = construct_is_loop(c), collective = !loop && is_collective(m, c);
        if (open && !loop && !collective) {
            out->items.items[out->items.n - 1].n++;
            continue;
        }
        open = !loop && !collective;
        if (collective)
            continue;
        construct_path_set(path, body, i);
        if (!array_push(&out->items, ((struct construct_range){.first = *path, .body = body, .n = 1})))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* ---- one segment ----------------------------------------------------------------------------- */

/* Describes the messages as steps in the run's coordinates if they have few distances; sets NULL
 * otherwise. */
static enum refrain_status find_directions(const struct dividing *v, const struct traffic *t, char **out)
{
    struct displacements d;
    struct bytes text = {0};
    enum refrain_status status;
    *out = NULL;
    if (!survey_is_lattice(v->run))
        return REFRAIN_OK;
    if ((status = displacements_create(&d, v->run, t, false)) != REFRAIN_OK)
        return status;
    displacements_put(&d, v->run->components.items[0].topology.best.n_dims, &text);
    if (text.n > 0 && !text.failed && !(*out = strndup((const char *)text.data, text.n)))
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&text);
    displacements_free(&d);
    return status;
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : !a && !b;
}

static void phase_free(struct phase *p)
{
    free(p->name);
    free(p->directions);
}

static enum refrain_status add_phase(struct dividing *v, const struct construct_range *range,
                                     const struct survey *survey, bool regular)
{
    const struct construct_path last = construct_range_at(range, range->n - 1);
    struct phase *before = v->phases->items.n > 0 ? &v->phases->items.items[v->phases->items.n - 1] : NULL;
    struct phase phase = {.first = range->first,
                          .last = last,
                          .sum = survey->traffic->all,
                          .edges = graph_hash(&survey->graph)};
    struct bytes name = {0};
    enum refrain_status status = topology_put_summary(survey, &name);
    if (status == REFRAIN_OK && !(phase.name = strndup((const char *)name.data, name.n)))
        status = REFRAIN_ERR_MEMORY;
    bytes_free(&name);
    if (status == REFRAIN_OK && !regular)
        status = find_directions(v, survey->traffic, &phase.directions);
    if (status != REFRAIN_OK) {
        phase_free(&phase);
        return status;
    }
    const uint32_t n = last.n;
    if (before && before->last.n == n && before->edges == phase.edges && is_same(before->name, phase.name) &&
        is_same(before->directions, phase.directions) &&
        (n == 1 || before->last.levels[n - 2].construct == last.levels[n - 2].construct)) {
        before->last = last;
        before->sum.messages += phase.sum.messages;
        before->sum.bytes += phase.sum.bytes;
        phase_free(&phase);
        return REFRAIN_OK;
    }
    if (array_push(&v->phases->items, phase))
        return REFRAIN_OK;
    phase_free(&phase);
    return REFRAIN_ERR_MEMORY;
}

static bool is_regular(const struct survey *s)
{
    bool regular = true;
    for (size_t i = 0; i < s->components.n && regular; i++)
        regular = s->components.items[i].topology.exact;
    return regular;
}

static enum refrain_status divide_body(struct dividing *v, const struct system *body,
                                       struct construct_path *path);

static enum refrain_status take_segment(struct dividing *v, const struct construct_range *range,
                                        const struct matrix *m)
{
    struct construct_path path = range->first;
    const struct construct *c = construct_path_last(&path);
    struct traffic traffic = {0};
    struct survey survey = {0};
    enum refrain_status status = traffic_create(&traffic, m);
    if (status == REFRAIN_OK)
        status = survey_create(&survey, &traffic, v->library, &v->choice);
    const bool regular = status == REFRAIN_OK && is_regular(&survey);
    if (status == REFRAIN_OK && traffic.all.messages > 0)
        status = !regular && construct_is_loop(c) && path.n < DEPTH_MOST
                     ? divide_body(v, c->body, &path)
                     : add_phase(v, range, &survey, regular);
    survey_free(&survey);
    traffic_free(&traffic);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* `path` has the levels above the body. */
static enum refrain_status divide_body(struct dividing *v, const struct system *body,
                                       struct construct_path *path)
{
    struct segments segments = {0};
    struct matrix *m = NULL;
    enum refrain_status status = divide(v->model, body, path, &segments);
    const size_t n = segments.items.n;
    if (status == REFRAIN_OK && n > 0 && !(m = calloc(n, sizeof *m))) {
        log_error("out of memory: %zu phases", n);
        status = REFRAIN_ERR_MEMORY;
    }
    if (status == REFRAIN_OK && n > 0)
        status = matrix_of_ranges(m, v->reader, v->definitions, v->model, segments.items.items, n);
    for (size_t i = 0; i < n && status == REFRAIN_OK; i++)
        status = take_segment(v, &segments.items.items[i], &m[i]);
    for (size_t i = 0; m && i < n; i++)
        matrix_free(&m[i]);
    free(m);
    array_free(&segments.items);
    return status;
}

enum refrain_status phases_create(struct phases *p, const struct reader *r, const struct definitions *d,
                                  const struct model *model, const struct pattern_library *l,
                                  const struct survey *run, const struct survey_choice *choice)
{
    struct dividing v = {.phases = p,
                         .reader = r,
                         .definitions = d,
                         .model = model,
                         .library = l,
                         .run = run,
                         .choice = survey_choice_of_some(choice)};
    struct construct_path top = {0};
    *p = (struct phases){0};
    const enum refrain_status status = divide_body(&v, model->all, &top);
    if (status != REFRAIN_OK)
        phases_free(p);
    return status;
}

void phases_free(struct phases *p)
{
    for (size_t i = 0; i < p->items.n; i++)
        phase_free(&p->items.items[i]);
    array_free(&p->items);
}

void phase_put_path(const struct phase *p, struct bytes *out)
{
    const uint64_t first = p->first.levels[p->first.n - 1].number,
                   last = p->last.levels[p->last.n - 1].number;
    construct_path_put(&p->first, out);
    if (last > first)
        text_printf(out, "-%llu", (unsigned long long)last);
}
