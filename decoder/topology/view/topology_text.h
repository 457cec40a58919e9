/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies for people and programs (refrain-topology(1)). */
#ifndef REFRAIN_TOPOLOGY_TEXT_H
#define REFRAIN_TOPOLOGY_TEXT_H

#include "decoder/trace/symbols.h"
#include "decoder/util/json.h"
#include "decoder/util/output.h"
#include "arrangement.h"
#include "decoder/topology/survey/comparison.h"
#include "decoder/topology/survey/displacement.h"
#include "decoder/topology/survey/layers.h"
#include "decoder/topology/survey/phases.h"
#include "decoder/topology/survey/separately.h"
#include "decoder/topology/survey/topology_name.h"

/* The traffic by direction and, if wanted, by call site. */
struct directions {
    struct displacements sums;
    unsigned n_dims; /* of the lattice; 0: no lattice */
    bool by_site, sizes;
    const struct symbols *symbols; /* of the sites */
    const struct site_times {
        bool known;
        double mean;  /* nanoseconds a call */
        double share; /* share of the run of all ranks, 0 to 1 */
    } * times;        /* by site; NULL: not asked for */
};

struct topology_subject {
    const char *trace; /* name of the trace or of the matrix file */
    struct survey_choice choice;
    const struct comm_members *comm; /* only messages on this communicator; NULL: all messages */
    const struct communicators *communicators;
    const struct separately *separately;   /* may be empty */
    const struct comparisons *comparisons; /* may be empty */
    const struct displacements *beside;    /* messages that are no edges of the lattice; NULL: none */
    const struct layers *layers;           /* may be empty */
    const struct phases *phases;           /* NULL: not asked for */
    const struct directions *directions;   /* NULL: not asked for */
    const struct reader *reader;           /* for the call sites of `labels` */
    const struct matrix_labels *labels;    /* NULL: there are none */
    bool explain;                          /* print the candidates that each test left */
    /* For pictures: */
    const char *title;       /* NULL: "Topology of" the trace */
    const double *values;    /* by rank: the value that its colour shows */
    const char *what, *unit; /* name and unit of the values */
    struct arrangement_view view;
};

enum refrain_status topology_put_text(const struct survey *s, const struct topology_subject *subject,
                                      struct output *out);
/* (topology_json.c) */
enum refrain_status topology_put_json(const struct survey *s, const struct topology_subject *subject,
                                      struct output *out);

/* (topology_svg.c) */
enum refrain_status topology_put_svg(const struct survey *s, const struct topology_subject *subject,
                                     struct output *out);

/* Print layers, phases, and the messages that are no edges of a lattice with n_dims dimensions.
 * (layers_text.c) */
enum refrain_status topology_put_layers(const struct topology_subject *subject, const struct traffic_sum *all,
                                        struct bytes *out);
enum refrain_status topology_put_phases(const struct phases *p, const struct traffic_sum *all,
                                        struct bytes *out);
void topology_put_beside(const struct displacements *d, unsigned n_dims, const struct traffic_sum *all,
                         struct bytes *out);

/* (directions_text.c) */
enum refrain_status topology_put_directions(const struct topology_subject *subject, struct output *out);
void topology_put_directions_json(const struct topology_subject *subject, struct json *j);

#endif
