/* SPDX-License-Identifier: BSD-3-Clause */
#include "decoder/util/json.h"
#include "decoder/topology/identify/difference.h"
#include "layers_json.h"
#include "topology_text.h"

#include <string.h>

static void put_name(struct json *j, const char *key, const struct candidate *c)
{
    struct bytes name = {0};
    candidate_put_name(c, &name);
    json_string_n(j, key, (const char *)name.data, name.failed ? 0 : name.n);
    bytes_free(&name);
}

static void put_communicator(struct json *j, const char *key, const struct comm_members *s)
{
    struct bytes name = {0};
    communicators_put_name(s, &name);
    json_string_n(j, key, (const char *)name.data, name.failed ? 0 : name.n);
    bytes_free(&name);
}

static void put_edges(struct json *j, const char *key, const struct survey *s,
                      const struct survey_component *p, const struct graph_edges *edges)
{
    json_array(j, key);
    for (size_t i = 0; i < edges->n; i++) {
        json_array(j, NULL);
        json_uint(j, NULL, traffic_rank(s->traffic, p->ranks[edges->items[i].a]));
        json_uint(j, NULL, traffic_rank(s->traffic, p->ranks[edges->items[i].b]));
        json_end(j);
    }
    json_end(j);
}

static void put_tests(struct json *j, const struct topology *t)
{
    json_array(j, "tests");
    for (unsigned test = 0; test < TOPOLOGY_TESTS; test++) {
        const struct bytes *names = &t->names[test]; /* consecutive strings, each with its 0 */
        json_object(j, NULL);
        json_string(j, "test", topology_tests[test]);
        json_uint(j, "left", t->left[test]);
        json_array(j, "names");
        for (size_t at = 0; at < names->n; at += strlen((const char *)names->data + at) + 1)
            json_string(j, NULL, (const char *)names->data + at);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void put_lattice(struct json *j, const struct candidate *c)
{
    json_array(j, "dims");
    for (unsigned d = 0; d < c->n_dims; d++)
        json_uint(j, NULL, c->sizes[d]);
    json_end(j);
    json_array(j, "periodic");
    for (unsigned d = 0; d < c->n_dims; d++)
        json_bool(j, NULL, candidate_is_periodic(c, d));
    json_end(j);
}

static void put_topology(struct json *j, const struct survey *s, const struct survey_component *p,
                         bool explain)
{
    const struct topology *t = &p->topology;
    if (t->found)
        put_name(j, "name", &t->best);
    else
        json_null(j, "name");
    json_bool(j, "exact", t->exact);
    json_array(j, "synonyms");
    for (size_t i = 0; i < t->synonyms.n; i++)
        put_name(j, NULL, &t->synonyms.items[i]);
    json_end(j);
    if (t->found) {
        put_lattice(j, &t->best);
        json_bool(j, "in_order", t->in_order);
        json_uint(j, "holes", t->n_holes);
    }
    put_edges(j, "missing", s, p, &t->missing);
    put_edges(j, "extra", s, p, &t->extra);
    if (explain)
        put_tests(j, t);
}

/* Writes the place of each rank in the topology of its component; null if it has none. */
static enum refrain_status put_coordinates(struct json *j, const struct survey *s, struct output *out)
{
    uint32_t at[LATTICE_DIMS];
    json_array(j, "coordinates");
    for (uint32_t rank = 0; rank < s->traffic->n_ranks; rank++) {
        const struct topology *t =
            s->component_of[rank] == UINT32_MAX ? NULL : &s->components.items[s->component_of[rank]].topology;
        if (!t || !t->found || t->image[s->node_of[rank]] == IMAGE_NONE) {
            json_null(j, NULL);
            continue;
        }
        const uint32_t image = t->image[s->node_of[rank]];
        candidate_coordinates(&t->best, image, at);
        json_array(j, NULL);
        for (unsigned d = 0; d < t->best.n_dims; d++)
            json_uint(j, NULL, at[d]);
        if (t->best.n_dims == 0)
            json_uint(j, NULL, image);
        json_end(j);
        if (output_drain(out) != REFRAIN_OK)
            return REFRAIN_ERR_IO;
    }
    json_end(j);
    return REFRAIN_OK;
}

static void put_parts(struct json *j, const struct survey *s, bool explain)
{
    json_array(j, "components");
    for (size_t i = 0; i < s->components.n; i++) {
        const struct survey_component *p = &s->components.items[i];
        json_object(j, NULL);
        put_topology(j, s, p, explain);
        json_array(j, "ranks");
        for (uint32_t node = 0; node < p->n_ranks; node++)
            json_uint(j, NULL, traffic_rank(s->traffic, p->ranks[node]));
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void put_comparisons(struct json *j, const struct topology_subject *subject)
{
    json_array(j, "declared");
    for (size_t i = 0; subject->comparisons && i < subject->comparisons->items.n; i++) {
        const struct comparison *c = &subject->comparisons->items.items[i];
        json_object(j, NULL);
        json_string(j, "function", c->of->function);
        put_communicator(j, "communicator", c->comm);
        json_array(j, "dims");
        for (unsigned d = 0; d < c->of->cart.n_dims; d++)
            json_uint(j, NULL, c->of->cart.sizes[d]);
        json_end(j);
        json_array(j, "periodic");
        for (unsigned d = 0; d < c->of->cart.n_dims; d++)
            json_bool(j, NULL, c->of->cart.periodic >> d & 1);
        json_end(j);
        json_bool(j, "agrees", c->agrees);
        json_uint(j, "edges", c->edges);
        json_uint(j, "used", c->used);
        json_uint(j, "extra", c->extra);
        json_end(j);
    }
    json_end(j);
}

static void put_separately(struct json *j, const struct topology_subject *subject)
{
    json_array(j, "separately");
    for (size_t i = 0; subject->separately && i < subject->separately->classes.n; i++) {
        const struct comm_class *class = &subject->separately->classes.items[i];
        json_object(j, NULL);
        json_string(j, "topology", class->name);
        json_uint(j, "ranks", class->first->n);
        json_string(j, "function", class->first->function ? class->first->function : "");
        json_uint(j, "messages", class->sum.messages);
        json_uint(j, "bytes", class->sum.bytes);
        json_array(j, "communicators");
        for (size_t k = 0; k < class->comms.n; k++)
            put_communicator(j, NULL, &subject->communicators->items.items[class->comms.items[k]]);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

enum refrain_status topology_put_json(const struct survey *s, const struct topology_subject *subject,
                                      struct output *out)
{
    const struct traffic *t = s->traffic;
    struct json j = json_of(&out->text);
    json_object(&j, NULL);
    json_string(&j, "trace", subject->trace);
    if (subject->comm) {
        put_communicator(&j, "communicator", subject->comm);
        json_array(&j, "members");
        for (uint32_t node = 0; node < t->n_ranks; node++)
            json_uint(&j, NULL, traffic_rank(t, node));
        json_end(&j);
    }
    json_uint(&j, "first_rank", t->first_rank);
    json_uint(&j, "ranks", t->n_ranks);
    json_real(&j, "threshold", subject->choice.threshold);
    json_uint(&j, "pairs", t->pairs.n);
    json_uint(&j, "weak_pairs", s->n_weak);
    json_uint(&j, "silent_ranks", s->n_silent);
    json_real(&j, "accuracy_calls", topology_share(s->inside.messages, t->all.messages));
    json_real(&j, "accuracy_bytes", topology_share(s->inside.bytes, t->all.bytes));
    if (s->components.n == 1)
        put_topology(&j, s, &s->components.items[0], subject->explain);
    else
        put_parts(&j, s, subject->explain);
    put_comparisons(&j, subject);
    put_separately(&j, subject);
    if (subject->directions)
        topology_put_directions_json(subject, &j);
    enum refrain_status status = layers_put_json(&j, s, subject);
    if (status == REFRAIN_OK)
        status = put_coordinates(&j, s, out);
    json_end(&j);
    bytes_put_u8(&out->text, '\n');
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}
