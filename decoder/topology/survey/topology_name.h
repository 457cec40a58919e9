/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of topologies, and the components of a survey that have the same name. */
#ifndef REFRAIN_TOPOLOGY_NAME_H
#define REFRAIN_TOPOLOGY_NAME_H

#include "decoder/util/text_table.h"
#include "survey.h"

/* "5x4 torus", "almost: 5x4 torus", "5x4 torus with 2 holes", "no regular topology". */
void topology_put_name(const struct topology *t, struct bytes *out);
/* "5x4 torus"; of several components "8 of 8-node ring, 1 of 2-node line". */
enum refrain_status topology_put_summary(const struct survey *s, struct bytes *out);
/* Returns part / all, from 0 to 1; 1 if `all` is 0. */
double topology_share(uint64_t part, uint64_t all);
/* "88.7 % of the messages, 99.1 % of the bytes"; without the bytes if no message has bytes. */
void topology_put_shares(const struct traffic_sum *part, const struct traffic_sum *all, struct bytes *out);

/* The name of each component. */
struct component_names {
    struct text_table names;
    ARRAY(uint32_t) of; /* by component */
};

enum refrain_status component_names_find(struct component_names *p,
                                         const struct survey *s); /* the caller frees *p, also after an
                                                                     error */
void component_names_free(struct component_names *p);
/* Appends "8 of 8-node ring"; returns the number of components with this name. */
size_t component_names_put_count(const struct component_names *p, uint32_t number, struct bytes *out);

#endif
