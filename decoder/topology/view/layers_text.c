/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes several patterns, successive or simultaneous, and the traffic outside of a lattice, for
 * people. */
#include "decoder/util/text.h"
#include "decoder/util/text_table.h"
#include "topology_text.h"

/* At most this many labels of a layer, and layers, are shown. */
#define LABELS_SHOWN 8
#define LAYERS_SHOWN 20

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void topology_put_beside(const struct displacements *d, unsigned n_dims, const struct traffic_sum *all,
                         struct bytes *out)
{
    for (size_t i = 0; i < d->items.n && i < DISPLACEMENTS_FEW; i++) {
        const struct displacement *one = &d->items.items[i];
        text_printf(out, "%-12s ", i == 0 ? "beside it" : "");
        displacement_put(one, n_dims, out);
        text_printf(out, ": %llu pair%s", (unsigned long long)one->n_pairs, plural(one->n_pairs));
        text_put(out, ", ");
        topology_put_shares(&one->sum, all, out);
        text_putc(out, '\n');
    }
    if (d->items.n > DISPLACEMENTS_FEW)
        text_printf(out, "%-12s and %zu other distances\n", "", d->items.n - DISPLACEMENTS_FEW);
}

enum refrain_status topology_put_phases(const struct phases *p, const struct traffic_sum *all,
                                        struct bytes *out)
{
    struct bytes path = {0};
    for (size_t i = 0; i < p->items.n; i++) {
        const struct phase *phase = &p->items.items[i];
        path.n = 0;
        phase_put_path(phase, &path);
        text_printf(out, "%-12s %-15.*s %s", i == 0 ? "phases" : "", (int)path.n, (const char *)path.data,
                    phase->name);
        if (phase->directions)
            text_printf(out, ": %s", phase->directions);
        text_put(out, ", ");
        topology_put_shares(&phase->sum, all, out);
        text_putc(out, '\n');
    }
    const bool failed = path.failed;
    bytes_free(&path);
    return failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

/* "MPI_Send tag 5 comm1" */
static void put_label(const struct topology_subject *subject, uint32_t number, struct bytes *out)
{
    const struct matrix_label *label = &subject->labels->items.items[number];
    const uint32_t comm = communicators_index(subject->communicators, label->comm);
    text_put(out, label->site == MATRIX_NO_SITE ? "call" : reader_function(subject->reader, label->site));
    text_printf(out, " tag %lld", (long long)label->tag);
    if (comm != UINT32_MAX && comm > 0) {
        text_putc(out, ' ');
        communicators_put_name(&subject->communicators->items.items[comm], out);
    }
}

/* Writes each distinct label once. */
static enum refrain_status put_labels(const struct topology_subject *subject, const struct layer *l,
                                      struct bytes *out)
{
    struct text_table names = {0};
    struct bytes name = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < l->labels.n && status == REFRAIN_OK; i++) {
        uint32_t number;
        name.n = 0;
        put_label(subject, l->labels.items[i], &name);
        status = name.failed ? REFRAIN_ERR_MEMORY : text_table_intern(&names, name.data, name.n, &number);
    }
    for (uint32_t i = 0; i < names.items.n && i < LABELS_SHOWN; i++)
        text_printf(out, "%s%.*s", i > 0 ? ", " : "", (int)names.items.items[i].n, text_table_at(&names, i));
    if (names.items.n > LABELS_SHOWN)
        text_put(out, ", …");
    text_table_free(&names);
    bytes_free(&name);
    return status;
}

/* Writes "(1,0) (0,1)" or "x,y with y,x"; nothing if the traffic has too many different
 * distances. */
static enum refrain_status put_directions(const struct layer *base, size_t number, const struct layer *l,
                                          struct bytes *out)
{
    struct displacements d;
    const enum refrain_status status = displacements_create(&d, &base->survey, &l->traffic, false);
    if (status != REFRAIN_OK)
        return status;
    struct bytes text = {0};
    displacements_put(&d, base->survey.components.items[0].topology.best.n_dims, &text);
    if (text.n > 0)
        text_printf(out, "; in the coordinates of %zu: %.*s", number, (int)text.n, (const char *)text.data);
    bytes_free(&text);
    displacements_free(&d);
    return REFRAIN_OK;
}

enum refrain_status topology_put_layers(const struct topology_subject *subject, const struct traffic_sum *all,
                                        struct bytes *out)
{
    const struct layers *l = subject->layers;
    enum refrain_status status = REFRAIN_OK;
    size_t base = 1; /* layers are numbered from 1 */
    while (l->base && l->items.items[base - 1] != l->base)
        base++;
    for (size_t i = 0; i < l->items.n && i < LAYERS_SHOWN && status == REFRAIN_OK; i++) {
        const struct layer *layer = l->items.items[i];
        text_printf(out, "%-12s %zu: ", i == 0 ? "layers" : "", i + 1);
        status = topology_put_summary(&layer->survey, out);
        text_put(out, ", ");
        topology_put_shares(&layer->traffic.all, all, out);
        text_printf(out, "\n%-12s    ", "");
        if (status == REFRAIN_OK)
            status = put_labels(subject, layer, out);
        if (status == REFRAIN_OK && l->base && l->base != layer)
            status = put_directions(l->base, base, layer, out);
        text_putc(out, '\n');
    }
    if (l->items.n > LAYERS_SHOWN)
        text_printf(out, "%-12s and %zu more\n", "", l->items.n - LAYERS_SHOWN);
    return status;
}
