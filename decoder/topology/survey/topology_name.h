/* SPDX-License-Identifier: BSD-3-Clause */
/* Topologies in words, and which components of a survey have the same one. */
#ifndef REFRAIN_TOPOLOGY_NAME_H
#define REFRAIN_TOPOLOGY_NAME_H

#include "decoder/util/text_table.h"
#include "survey.h"

/* "5x4 torus", "almost: 5x4 torus", "5x4 torus with 2 holes", "no regular topology". */
void topology_put_name(const struct topology *t, struct bytes *out);
/* "5x4 torus"; of several components "8 of 8-node ring, 1 of 2-node line". */
enum refrain_status topology_put_summary(const struct survey *s, struct bytes *out);
/* From 0 to 1; 1 of nothing. */
double topology_share(uint64_t part, uint64_t all);
/* "88.7 % of the messages, 99.1 % of the bytes"; only the first if nothing has bytes. */
void topology_put_shares(const struct traffic_sum *part, const struct traffic_sum *all, struct bytes *out);

/* Which name each component has. */
struct component_names {
    struct text_table names;
    ARRAY(uint32_t) of; /* by component */
};

enum refrain_status component_names_find(struct component_names *p,
                                         const struct survey *s); /* to be freed in any case */
void component_names_free(struct component_names *p);
/* "8 of 8-node ring"; returns how many. */
size_t component_names_put_count(const struct component_names *p, uint32_t number, struct bytes *out);

#endif
