/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology_text.h"

#include "decoder/util/text.h"
#include "decoder/topology/identify/difference.h"
#include "src/core/base/log.h"

#include <string.h>

/* At most this many edges, ranks and coordinates are shown in a line or list. */
#define EDGES_SHOWN 20
#define RANKS_SHOWN 64

static void put_label(struct bytes *out, const char *label)
{
    text_printf(out, "%-12s ", label);
}

/* ---- one component --------------------------------------------------------------------------- */

static void put_synonyms(const struct topology *t, struct bytes *out)
{
    for (size_t i = 0; i < t->synonyms.n; i++) {
        put_label(out, i == 0 ? "also" : "");
        candidate_put_name(&t->synonyms.items[i], out);
        text_putc(out, '\n');
    }
}

/* *told: the line determines all coordinates. */
static enum refrain_status put_numbering(const struct survey *s, const struct survey_component *p,
                                         struct bytes *out, bool *told)
{
    const struct topology *t = &p->topology;
    enum refrain_status status = REFRAIN_OK;
    *told = t->in_order && t->best.n_dims == 0;
    if (!t->found)
        return REFRAIN_OK;
    put_label(out, "numbering");
    if (t->best.n_dims > 0)
        status = survey_put_rule(s, p, out, told);
    if (t->best.n_dims == 0 && t->in_order)
        text_put(out, "in order");
    else if (!*told)
        text_put(out, "not an affine order");
    text_putc(out, '\n');
    return status;
}

static void put_edges(const struct survey *s, const struct survey_component *p,
                      const struct graph_edges *edges, const char *label, struct bytes *out)
{
    if (edges->n == 0)
        return;
    put_label(out, label);
    for (size_t i = 0; i < edges->n && i < EDGES_SHOWN; i++) {
        const struct graph_edge *e = &edges->items[i];
        text_printf(out, "%s%u-%u", i > 0 ? ", " : "", traffic_rank(s->traffic, p->ranks[e->a]),
                    traffic_rank(s->traffic, p->ranks[e->b]));
    }
    if (edges->n > EDGES_SHOWN)
        text_printf(out, " and %zu more", edges->n - EDGES_SHOWN);
    text_putc(out, '\n');
}

/* Writes how many ranks have each number of partners. */
static void put_degrees(const struct survey_component *p, struct bytes *out)
{
    put_label(out, "partners");
    for (uint32_t i = 0, end; i < p->n_ranks; i = end) {
        for (end = i; end < p->n_ranks && p->degrees[end] == p->degrees[i];)
            end++;
        text_printf(out, "%s%u: %u rank%s", i > 0 ? ", " : "", p->degrees[i], end - i,
                    end - i > 1 ? "s" : "");
    }
    text_putc(out, '\n');
}

/* Writes each rank's place, unless a rule has given all places. */
static void put_places(const struct survey *s, const struct survey_component *p, struct bytes *out)
{
    const struct topology *t = &p->topology;
    uint32_t at[LATTICE_DIMS];
    if (!t->found || p->n_ranks > RANKS_SHOWN)
        return;
    for (uint32_t node = 0; node < p->n_ranks; node++) {
        put_label(out, node == 0 ? "places" : "");
        text_printf(out, "%6u  ", traffic_rank(s->traffic, p->ranks[node]));
        candidate_coordinates(&t->best, t->image[node], at);
        for (unsigned d = 0; d < t->best.n_dims && t->image[node] != IMAGE_NONE; d++)
            text_printf(out, d > 0 ? ",%u" : "%u", at[d]);
        if (t->image[node] == IMAGE_NONE)
            text_put(out, "nowhere");
        else if (t->best.n_dims == 0)
            text_uint(out, t->image[node]);
        text_putc(out, '\n');
    }
}

static void put_explanation(const struct topology *t, struct bytes *out)
{
    text_put(out, "\ntest             left\n");
    for (unsigned test = 0; test < TOPOLOGY_TESTS; test++) {
        const char *names = (const char *)t->names[test].data;
        text_printf(out, "%-15s %5llu", topology_tests[test], (unsigned long long)t->left[test]);
        for (size_t at = 0; at < t->names[test].n; at += strlen(names + at) + 1)
            text_printf(out, "%s%s", at == 0 ? "  " : "; ", names + at);
        text_putc(out, '\n');
    }
}

/* Writes a sentence about some dimensions. Returns false if there are none. */
static bool put_dimensions(uint32_t some, const char *sentence, struct bytes *out)
{
    bool any = false;
    for (unsigned d = 0; d < LATTICE_DIMS; d++) {
        if (!(some >> d & 1))
            continue;
        text_put(out, any ? " and " : sentence);
        candidate_put_axis(d, out);
        any = true;
    }
    return any;
}

/* The communication may be exact only with other periods than those that the user gave. */
static void put_given(const struct topology_subject *subject, const struct topology *t, struct bytes *out)
{
    const struct placement *given = subject->choice.given;
    uint32_t periodic = 0;
    if (!subject->choice.with_periods || !t->given)
        return;
    for (unsigned d = 0; d < given->n_dims; d++)
        periodic |= (given->periodic >> d & 1 && given->sizes[d] > 2) << d;
    if (periodic == t->best.periodic)
        return;
    put_label(out, "given");
    placement_put_name(given, out);
    const bool none = put_dimensions(periodic & ~t->best.periodic, ": no messages go round in ", out);
    put_dimensions(t->best.periodic & ~periodic, none ? ", but some do in " : ": messages also go round in ",
                   out);
    text_putc(out, '\n');
}

static enum refrain_status put_part(const struct survey *s, const struct topology_subject *subject,
                                    const struct survey_component *p, struct bytes *out)
{
    bool told;
    put_label(out, "topology");
    topology_put_name(&p->topology, out);
    text_putc(out, '\n');
    put_given(subject, &p->topology, out);
    put_synonyms(&p->topology, out);
    const enum refrain_status status = put_numbering(s, p, out, &told);
    put_edges(s, p, &p->topology.missing, "missing", out);
    put_edges(s, p, &p->topology.extra, "too many", out);
    if (!p->topology.found)
        put_degrees(p, out);
    if (!told)
        put_places(s, p, out);
    return status;
}

/* ---- all components -------------------------------------------------------------------------- */

static void put_ranks(const struct survey *s, const struct survey_component *p, struct bytes *out)
{
    for (uint32_t i = 0, end; i < p->n_ranks; i = end + 1) {
        const uint32_t first = traffic_rank(s->traffic, p->ranks[i]);
        for (end = i;
             end + 1 < p->n_ranks && traffic_rank(s->traffic, p->ranks[end + 1]) == first + end + 1 - i;)
            end++;
        text_printf(out, i > 0 ? ",%u" : "%u", first);
        if (end > i)
            text_printf(out, "-%u", first + end - i);
    }
}

/* A line for each topology, with the components that have it. */
static enum refrain_status put_parts(const struct survey *s, struct bytes *out)
{
    struct component_names components;
    enum refrain_status status = component_names_find(&components, s);
    for (uint32_t number = 0; number < components.names.items.n && status == REFRAIN_OK; number++) {
        size_t shown = 0;
        put_label(out, number == 0 ? "topologies" : "");
        const size_t n = component_names_put_count(&components, number, out);
        text_put(out, ": ranks ");
        for (size_t i = 0; i < components.of.n && shown < EDGES_SHOWN; i++) {
            if (components.of.items[i] != number)
                continue;
            text_put(out, shown++ > 0 ? "; " : "");
            put_ranks(s, &s->components.items[i], out);
        }
        text_put(out, shown < n ? "; …\n" : "\n");
    }
    component_names_free(&components);
    return status;
}

/* ---- communicators, declared topologies, sums ------------------------------------------------ */

static void put_class(const struct topology_subject *subject, const struct comm_class *class,
                      struct bytes *out)
{
    const struct comm_members *items = subject->communicators->items.items;
    if (class->comms.n > 1)
        text_printf(out, "%zu of ", class->comms.n);
    if (class->comms.n > 1 && class->first->function)
        text_printf(out, "%s", class->first->function);
    else
        communicators_put_name(class->first, out);
    text_printf(out, ", %u ranks%s: %s", class->first->n, class->comms.n > 1 ? " each" : "", class->name);
    for (size_t i = 0; class->comms.n > 1 && i < class->comms.n && i < EDGES_SHOWN; i++) {
        text_put(out, i == 0 ? " (" : ", ");
        communicators_put_name(&items[class->comms.items[i]], out);
    }
    text_put(out, class->comms.n < 2 ? "\n" : class->comms.n > EDGES_SHOWN ? ", …)\n" : ")\n");
}

static void put_separately(const struct topology_subject *subject, struct bytes *out)
{
    const struct separately *s = subject->separately;
    for (size_t i = 0; s && i < s->classes.n; i++) {
        put_label(out, i == 0 ? "separately" : "");
        put_class(subject, &s->classes.items[i], out);
    }
}

static void put_declared(const struct topology_subject *subject, struct bytes *out)
{
    for (size_t i = 0; subject->comparisons && i < subject->comparisons->items.n; i++) {
        put_label(out, i == 0 ? "declared" : "");
        comparison_put(&subject->comparisons->items.items[i], out);
        text_putc(out, '\n');
    }
}

static bool is_any_found(const struct survey *s)
{
    bool found = false;
    for (size_t i = 0; i < s->components.n; i++)
        found = found || s->components.items[i].topology.found;
    return found;
}

static void put_sums(const struct survey *s, const struct topology_subject *subject, struct bytes *out)
{
    const struct traffic *t = s->traffic;
    if (is_any_found(s)) {
        put_label(out, "along it");
        topology_put_shares(&s->inside, &t->all, out);
        text_putc(out, '\n');
    }
    if (s->n_weak > 0) {
        put_label(out, "left out");
        text_printf(out, "%zu pairs below %g %% of the largest\n", s->n_weak,
                    100 * subject->choice.threshold);
    }
    if (t->outside.messages > 0) {
        put_label(out, "outside");
        text_printf(out, "%llu messages from or to processes that are not in this trace\n",
                    (unsigned long long)t->outside.messages);
    }
    if (s->n_silent > 0) {
        put_label(out, "silent");
        text_printf(out, "%u of %u ranks\n", s->n_silent, t->n_ranks);
    }
}

enum refrain_status topology_put_text(const struct survey *s, const struct topology_subject *subject,
                                      struct output *out)
{
    enum refrain_status status = REFRAIN_OK;
    if (s->components.n == 0)
        text_put(&out->text, "topology     none: there are no messages\n");
    else if (s->components.n == 1)
        status = put_part(s, subject, &s->components.items[0], &out->text);
    else
        status = put_parts(s, &out->text);
    if (status == REFRAIN_OK && s->components.n > 0)
        put_sums(s, subject, &out->text);
    if (status == REFRAIN_OK && subject->beside)
        topology_put_beside(subject->beside, s->components.items[0].topology.best.n_dims, &s->traffic->all,
                            &out->text);
    if (status == REFRAIN_OK && subject->layers)
        status = topology_put_layers(subject, &s->traffic->all, &out->text);
    if (status == REFRAIN_OK && subject->phases)
        status = topology_put_phases(subject->phases, &s->traffic->all, &out->text);
    put_declared(subject, &out->text);
    put_separately(subject, &out->text);
    if (status == REFRAIN_OK && subject->directions)
        status = topology_put_directions(subject, out);
    for (size_t i = 0; subject->explain && i < s->components.n && status == REFRAIN_OK; i++) {
        put_explanation(&s->components.items[i].topology, &out->text);
        status = output_drain(out);
    }
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}
