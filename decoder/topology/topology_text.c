/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology_text.h"

#include "decoder/util/text.h"
#include "decoder/util/text_table.h"
#include "numbering.h"
#include "src/core/base/log.h"

#include <string.h>

/* Edges, ranks and coordinates that a line or a list shows at most. */
#define EDGES_SHOWN 20
#define RANKS_SHOWN 64

void topology_put_name(const struct topology *t, struct bytes *out)
{
    if (!t->found) {
        text_put(out, "no regular topology");
        return;
    }
    if (!t->exact)
        text_put(out, "almost: ");
    candidate_put_name(&t->best, out);
}

double topology_share(uint64_t part, uint64_t all)
{
    return all > 0 ? 100.0 * (double)part / (double)all : 100.0;
}

static void put_label(struct bytes *out, const char *label)
{
    text_printf(out, "%-12s ", label);
}

/* ---- one part -------------------------------------------------------------------------------- */

static void put_synonyms(const struct topology *t, struct bytes *out)
{
    for (size_t i = 0; i < t->synonyms.n; i++) {
        put_label(out, i == 0 ? "also" : "");
        candidate_put_name(&t->synonyms.items[i], out);
        text_putc(out, '\n');
    }
}

static void put_numbering(const struct topology *t, struct bytes *out)
{
    if (!t->found)
        return;
    put_label(out, "numbering");
    if (!t->in_order)
        text_put(out, "not an affine order");
    else if (t->best.n_dims > 0)
        numbering_put_rule(&t->best, out);
    else
        text_put(out, "in order");
    text_putc(out, '\n');
}

static void put_edges(const struct survey *s, const struct survey_part *p, const struct graph_edges *edges,
                      const char *label, struct bytes *out)
{
    if (edges->n == 0)
        return;
    put_label(out, label);
    for (size_t i = 0; i < edges->n && i < EDGES_SHOWN; i++) {
        const struct graph_edge *e = &edges->items[i];
        text_printf(out, "%s%u-%u", i > 0 ? ", " : "", s->traffic->first_rank + p->ranks[e->a],
                    s->traffic->first_rank + p->ranks[e->b]);
    }
    if (edges->n > EDGES_SHOWN)
        text_printf(out, " and %zu more", edges->n - EDGES_SHOWN);
    text_putc(out, '\n');
}

/* How many ranks have how many partners. */
static void put_degrees(const struct survey_part *p, struct bytes *out)
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

/* Who is where, if that is not told by a rule. */
static void put_places(const struct survey *s, const struct survey_part *p, struct bytes *out)
{
    const struct topology *t = &p->topology;
    uint32_t at[LATTICE_DIMS];
    if (!t->found || t->in_order || p->n_ranks > RANKS_SHOWN)
        return;
    for (uint32_t node = 0; node < p->n_ranks; node++) {
        put_label(out, node == 0 ? "places" : "");
        text_printf(out, "%6u  ", s->traffic->first_rank + p->ranks[node]);
        candidate_coordinates(&t->best, t->place[node], at);
        for (unsigned d = 0; d < t->best.n_dims; d++)
            text_printf(out, d > 0 ? ",%u" : "%u", at[d]);
        if (t->best.n_dims == 0)
            text_uint(out, t->place[node]);
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

static void put_part(const struct survey *s, const struct survey_part *p, bool explain, struct bytes *out)
{
    put_label(out, "topology");
    topology_put_name(&p->topology, out);
    text_putc(out, '\n');
    put_synonyms(&p->topology, out);
    put_numbering(&p->topology, out);
    put_edges(s, p, &p->topology.missing, "missing", out);
    put_edges(s, p, &p->topology.extra, "too many", out);
    if (!p->topology.found)
        put_degrees(p, out);
    put_places(s, p, out);
    if (explain)
        put_explanation(&p->topology, out);
}

/* ---- all parts ------------------------------------------------------------------------------- */

static void put_ranks(const struct survey *s, const struct survey_part *p, struct bytes *out)
{
    for (uint32_t i = 0, end; i < p->n_ranks; i = end + 1) {
        for (end = i; end + 1 < p->n_ranks && p->ranks[end + 1] == p->ranks[end] + 1;)
            end++;
        text_printf(out, i > 0 ? ",%u" : "%u", s->traffic->first_rank + p->ranks[i]);
        if (end > i)
            text_printf(out, "-%u", s->traffic->first_rank + p->ranks[end]);
    }
}

/* A line for each topology, with the parts that have it. */
static enum refrain_status put_parts(const struct survey *s, struct bytes *out)
{
    struct text_table names = {0};
    ARRAY(uint32_t) name_of = {0};
    struct bytes name = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->parts.n && status == REFRAIN_OK; i++) {
        uint32_t number;
        name.n = 0;
        topology_put_name(&s->parts.items[i].topology, &name);
        status = name.failed ? REFRAIN_ERR_MEMORY : text_table_intern(&names, name.data, name.n, &number);
        if (status == REFRAIN_OK && !array_push(&name_of, number))
            status = REFRAIN_ERR_MEMORY;
    }
    for (uint32_t number = 0; number < names.items.n && status == REFRAIN_OK; number++) {
        size_t n = 0, shown = 0;
        for (size_t i = 0; i < name_of.n; i++)
            n += name_of.items[i] == number;
        put_label(out, number == 0 ? "topologies" : "");
        text_printf(out, "%zu of %.*s: ranks ", n, (int)names.items.items[number].n,
                    text_table_at(&names, number));
        for (size_t i = 0; i < name_of.n && shown < EDGES_SHOWN; i++) {
            if (name_of.items[i] != number)
                continue;
            text_put(out, shown++ > 0 ? "; " : "");
            put_ranks(s, &s->parts.items[i], out);
        }
        text_put(out, shown < n ? "; …\n" : "\n");
    }
    text_table_free(&names);
    array_free(&name_of);
    bytes_free(&name);
    return status;
}

static bool is_any_found(const struct survey *s)
{
    bool found = false;
    for (size_t i = 0; i < s->parts.n; i++)
        found = found || s->parts.items[i].topology.found;
    return found;
}

static void put_sums(const struct survey *s, const struct topology_subject *subject, struct bytes *out)
{
    const struct traffic *t = s->traffic;
    if (is_any_found(s)) {
        put_label(out, "along it");
        text_printf(out, "%.6g %% of the messages", topology_share(s->inside.messages, t->all.messages));
        if (t->all.bytes > 0)
            text_printf(out, ", %.6g %% of the bytes", topology_share(s->inside.bytes, t->all.bytes));
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
    if (s->parts.n == 0)
        text_put(&out->text, "topology     none: there are no messages\n");
    else if (s->parts.n == 1)
        put_part(s, &s->parts.items[0], false, &out->text);
    else
        status = put_parts(s, &out->text);
    if (status == REFRAIN_OK && s->parts.n > 0)
        put_sums(s, subject, &out->text);
    for (size_t i = 0; subject->explain && i < s->parts.n && status == REFRAIN_OK; i++) {
        put_explanation(&s->parts.items[i].topology, &out->text);
        status = output_drain(out);
    }
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}
