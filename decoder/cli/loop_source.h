/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop models for a command: of a TRACE's lanes, or of the processes in a file (--events). */
#ifndef REFRAIN_LOOP_SOURCE_H
#define REFRAIN_LOOP_SOURCE_H

#include "decoder/loops/loop_notes.h"
#include "decoder/trace/definitions.h"
#include "options.h"

struct loop_source {
    bool limited;   /* the caller's to set: a rank that has no structure is an error */
    bool all_ranks; /* the caller's to set: --rank says which are printed, not which are needed */
    struct event_templates templates;
    struct loop_groups groups;
    struct definitions definitions; /* of the trace */
    ARRAY(uint32_t) communicators;  /* by number: those that the models name */
};

/* By the operand and by --events, --window, --calls, --rank, --thread and --world, those of them that the
 * command has. What does not go together is logged. To be freed in any case. */
enum refrain_status loop_source_read(struct loop_source *s, const struct options *o);
/* What --sites, --sizes and --times ask for: ANNOTATE_…; 0: nothing. */
unsigned loop_source_notes(const struct options *o);
void loop_source_free(struct loop_source *s); /* also of a zeroed struct */

#endif
