/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies for people and programs (refrain-topology(1)). */
#ifndef REFRAIN_TOPOLOGY_TEXT_H
#define REFRAIN_TOPOLOGY_TEXT_H

#include "decoder/util/output.h"
#include "arrangement.h"
#include "survey.h"

struct topology_subject {
    const char *trace; /* its name, or that of the matrix */
    struct survey_choice choice;
    bool explain; /* what each test left */
    /* Of pictures. */
    const double *values;    /* by rank: what its colour is */
    const char *what, *unit; /* these are */
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

/* "5x4 torus", "almost a 5x4 torus", "no regular topology". */
void topology_put_name(const struct topology *t, struct bytes *out);
/* A share in per cent, with all digits that tell it from 0 and 100. */
double topology_share(uint64_t part, uint64_t all);

#endif
