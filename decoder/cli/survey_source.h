/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies that a command is about: of the messages of a trace, of one of its communicators (--comm), of constructs
 * of its model (--at) or of one-sided communication (--rma), or of a matrix from anywhere (--matrix); by --threshold,
 * --messages and --patterns, on coordinates that the user knows (--topology, --coords) or that the program declares. */
#ifndef REFRAIN_SURVEY_SOURCE_H
#define REFRAIN_SURVEY_SOURCE_H

#include "decoder/topology/survey/comparison.h"
#include "options.h"

struct survey_source {
    struct pattern_library library;
    struct survey_choice choice;
    bool or_windows;      /* set it: if there are no messages, accesses to windows count instead */
    bool selected;        /* the messages are those of constructs, of one-sided communication or of a file */
    struct reader reader; /* of the trace */
    struct definitions definitions;
    struct matrix_labels labels;
    struct communicators communicators;
    struct declared declared;
    const struct comm_members *comm; /* that was asked for; NULL: all */
    struct matrix matrix;            /* nothing as long as the traffic is known without it */
    struct traffic traffic;
    struct placement placement; /* coordinates that are known; no dimensions: none are */
    struct comparisons comparisons;
    struct survey survey;
};

/* The source is zeroed, but for `or_windows`. Nothing is left to be freed after an error. The source must not move: its parts refer to each other. */
enum refrain_status survey_source_read(struct survey_source *s, const struct options *o);
/* Makes the matrix with labels, unless it exists already, as for messages of several communicators or without groups of ranks. Does nothing for sources other than messages of a trace. */
enum refrain_status survey_source_label(struct survey_source *s);
void survey_source_free(struct survey_source *s); /* also of a zeroed struct */

#endif
