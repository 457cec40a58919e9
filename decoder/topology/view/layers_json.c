/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes several patterns, successive or simultaneous, and the traffic outside of a lattice, for
 * programs. */
#include "decoder/topology/identify/difference.h"
#include "layers_json.h"

#include "decoder/util/text.h"

static void put_sum(struct json *j, const struct traffic_sum *sum)
{
    json_uint(j, "messages", sum->messages);
    json_uint(j, "bytes", sum->bytes);
}

static void put_text(struct json *j, const char *key, const struct bytes *text)
{
    json_string_n(j, key, (const char *)text->data, text->failed ? 0 : text->n);
}

/* [{"steps":[2,0,0],"pairs":4,…}, …] */
static void put_displacements(struct json *j, const char *key, const struct displacements *d, unsigned n_dims)
{
    json_array(j, key);
    for (size_t i = 0; d && i < d->items.n; i++) {
        json_object(j, NULL);
        json_array(j, "steps");
        for (unsigned k = 0; k < n_dims; k++)
            json_int(j, NULL, d->items.items[i].steps[k]);
        json_end(j);
        json_uint(j, "pairs", d->items.items[i].n_pairs);
        put_sum(j, &d->items.items[i].sum);
        json_end(j);
    }
    json_end(j);
}

static void put_labels(struct json *j, const struct topology_subject *subject, const struct layer *l)
{
    json_array(j, "labels");
    for (size_t i = 0; i < l->labels.n; i++) {
        const struct matrix_label *label = &subject->labels->items.items[l->labels.items[i]];
        const uint32_t comm = communicators_index(subject->communicators, label->comm);
        struct bytes name = {0};
        json_object(j, NULL);
        if (label->site != MATRIX_NO_SITE) {
            json_string(j, "function", reader_function(subject->reader, label->site));
            json_uint(j, "site", label->site);
        }
        if (comm != UINT32_MAX) {
            communicators_put_name(&subject->communicators->items.items[comm], &name);
            put_text(j, "communicator", &name);
            bytes_free(&name);
        }
        json_int(j, "tag", label->tag);
        json_end(j);
    }
    json_end(j);
}

/* Writes coordinates in the layer that defines them for the others, by node of the traffic. */
static void put_coordinates(struct json *j, const struct survey *s)
{
    const struct topology *t = &s->components.items[0].topology;
    uint32_t at[LATTICE_DIMS];
    json_array(j, "coordinates");
    for (uint32_t node = 0; node < s->graph.n; node++) {
        const uint32_t image = s->component_of[node] == UINT32_MAX ? IMAGE_NONE : t->image[s->node_of[node]];
        if (image == IMAGE_NONE) {
            json_null(j, NULL);
            continue;
        }
        candidate_coordinates(&t->best, image, at);
        json_array(j, NULL);
        for (unsigned d = 0; d < t->best.n_dims; d++)
            json_uint(j, NULL, at[d]);
        json_end(j);
    }
    json_end(j);
}

static enum refrain_status put_layer(struct json *j, const struct topology_subject *subject,
                                     const struct layer *l)
{
    const struct layer *base = subject->layers->base;
    struct displacements d;
    struct bytes name = {0};
    enum refrain_status status = topology_put_summary(&l->survey, &name);
    json_object(j, NULL);
    put_text(j, "topology", &name);
    bytes_free(&name);
    put_sum(j, &l->traffic.all);
    put_labels(j, subject, l);
    if (l == base) {
        put_coordinates(j, &l->survey);
    } else if (base && status == REFRAIN_OK &&
               (status = displacements_create(&d, &base->survey, &l->traffic, false)) == REFRAIN_OK) {
        json_bool(j, "transposed", d.transposed);
        put_displacements(j, "distances", &d, base->survey.components.items[0].topology.best.n_dims);
        displacements_free(&d);
    }
    json_end(j);
    return status;
}

static void put_phases(struct json *j, const struct phases *p)
{
    json_array(j, "phases");
    for (size_t i = 0; i < p->items.n; i++) {
        struct bytes path = {0};
        json_object(j, NULL);
        phase_put_path(&p->items.items[i], &path);
        put_text(j, "path", &path);
        bytes_free(&path);
        json_string(j, "topology", p->items.items[i].name);
        if (p->items.items[i].directions)
            json_string(j, "distances", p->items.items[i].directions);
        put_sum(j, &p->items.items[i].sum);
        json_end(j);
    }
    json_end(j);
}

enum refrain_status layers_put_json(struct json *j, const struct survey *s,
                                    const struct topology_subject *subject)
{
    enum refrain_status status = REFRAIN_OK;
    put_displacements(j, "beside", subject->beside,
                      subject->beside ? s->components.items[0].topology.best.n_dims : 0);
    json_array(j, "layers");
    for (size_t i = 0; subject->layers && i < subject->layers->items.n && status == REFRAIN_OK; i++)
        status = put_layer(j, subject, subject->layers->items.items[i]);
    json_end(j);
    if (subject->phases)
        put_phases(j, subject->phases);
    return status;
}
