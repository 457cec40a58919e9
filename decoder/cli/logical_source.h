/* SPDX-License-Identifier: BSD-3-Clause */
/* The logical program of a command's TRACE, with annotations from the trace's calls. */
#ifndef REFRAIN_LOGICAL_SOURCE_H
#define REFRAIN_LOGICAL_SOURCE_H

#include "loop_source.h"
#include "survey_source.h"

#include "decoder/logical/joint/joint.h"
#include "decoder/logical/view/annotations.h"

struct logical_source {
    struct survey_source survey;
    struct compass compass;
    struct loop_source loops;
    struct model model;
    struct logical logical;
    struct symbols symbols;
    struct annotations notes;
};

/* By what survey_source_read and loop_source_read take. To be freed in any case. */
enum refrain_status logical_source_read(struct logical_source *s, const struct options *o);
/* Prints the events of the rank that --expand names; `joint`: NULL, or its groups are followed. */
enum refrain_status logical_source_expand(const struct logical_source *s, struct joint *joint,
                                          const struct options *o);
/* Names of procedures, and notes by --sites, --sizes and --times; without them *shown is NULL. */
enum refrain_status logical_source_annotate(struct logical_source *s, const struct options *o,
                                            const struct annotations **shown);
void logical_source_free(struct logical_source *s); /* also of a zeroed struct */

#endif
