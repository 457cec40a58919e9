/* SPDX-License-Identifier: BSD-3-Clause */
/* Annotations of a program's statements, from their calls: source locations, bytes and times. Also names of
 * procedures: a procedure is named after a function that contains all of its statements. */
#ifndef REFRAIN_ANNOTATIONS_H
#define REFRAIN_ANNOTATIONS_H

#include "decoder/logical/logical.h"
#include "decoder/loops/event_notes.h"

struct annotation {
    struct event_note events;
    /* Of ANNOTATE_SIZES: */
    struct number bytes; /* bytes of one call, by process of the step */
    bool varies;         /* the bytes differ between calls of one process */
};

struct annotations {
    unsigned what;
    const struct reader *reader;
    const struct symbols *symbols;
    struct arena arena;
    struct annotation *items; /* by number of an event's step */
    uint64_t run;             /* ns, as in event_noting */
};

/* `what`: ANNOTATE_…; 0: one site per statement, for names. The frames of `s` must have been looked up.
 * ANNOTATE_SIZES and ANNOTATE_TIMES walk all calls, ANNOTATE_SITES the calls of some ranks. All arguments
 * must outlive the annotations. */
enum refrain_status annotations_create(struct annotations *n, const struct logical *l, const struct reader *r,
                                       const struct definitions *d, const struct symbols *s, unsigned what);
void annotations_free(struct annotations *n); /* also of a zeroed struct */

/* Sets the names of the procedures. (procedure_names.c) */
enum refrain_status annotations_name_procedures(const struct annotations *n, struct logical *l);
/* "exchange (halo.c:31), 80 bytes, 1.2 us, 3.1 %, then MPI_Waitall 12 %"; nothing if nothing is known. */
void annotations_put(const struct annotations *n, const struct logical *l, const struct step *s,
                     struct bytes *out);

#endif
