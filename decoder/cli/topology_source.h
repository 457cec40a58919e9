/* SPDX-License-Identifier: BSD-3-Clause */
/* What `refrain topology` is about: the messages of a trace, of one of its communicators (--comm), of constructs of its
 * model (--at) or of one-sided communication (--rma), or a matrix from anywhere (--matrix). */
#ifndef REFRAIN_TOPOLOGY_SOURCE_H
#define REFRAIN_TOPOLOGY_SOURCE_H

#include "decoder/topology/survey/recorded_topology.h"
#include "options.h"

struct topology_source {
    struct reader reader; /* of a trace whose messages are labelled; the rest, too, is of such a one alone: */
    struct definitions definitions;
    struct matrix_labels labels;
    struct communicators communicators;
    struct declared declared;
    const struct comm_members *comm; /* that was asked for; NULL: all */
    struct matrix matrix;
    struct traffic traffic;
};

/* Options that would have no effect together are refused. */
enum refrain_status topology_source_read(struct topology_source *s, const struct options *o);
void topology_source_free(struct topology_source *s); /* also of a zeroed struct */

#endif
