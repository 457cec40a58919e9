/* SPDX-License-Identifier: BSD-3-Clause */
/* What the calls say of a program's statements: where in the source they are, what they move, how long they take;
 * and what procedures may be called, which is a function that all of their statements are in. */
#ifndef REFRAIN_ANNOTATIONS_H
#define REFRAIN_ANNOTATIONS_H

#include "decoder/loops/event_lane.h"
#include "decoder/trace/symbols.h"
#include "decoder/times/timed_lane.h"
#include "logical.h"

enum { ANNOTATE_SITES = 1, ANNOTATE_SIZES = 2, ANNOTATE_TIMES = 4 };

/* Call sites of a statement that are told. */
enum { ANNOTATE_SITES_MOST = 4 };
/* Functions between two statements that are kept apart. */
enum { ANNOTATE_AFTER_MOST = 8 };

struct annotation {
    uint32_t sites[ANNOTATE_SITES_MOST];
    uint32_t n_sites; /* the first ones; ANNOTATE_SITES_MOST + 1: there are more */
    /* Of ANNOTATE_SIZES and ANNOTATE_TIMES: */
    struct number bytes;  /* by process of the step: of a call */
    bool varies;          /* of a process they are not always the same: */
    uint64_t least, most; /* of all */
    uint64_t calls;
    uint64_t time; /* in all of them, ns */
    /* Calls that are no statements, such as MPI_Waitall, between it and the next one: */
    struct {
        const char *function; /* NULL: no more; what no place is left for counts for the last one */
        uint64_t time;        /* ns in all of its calls */
    } after[ANNOTATE_AFTER_MOST];
};

struct annotations {
    unsigned what;
    const struct reader *reader;
    const struct symbols *symbols;
    struct arena arena;
    struct annotation *items; /* by number of an event's step */
    uint64_t run;             /* ns, of all processes together */
};

/* `what`: ANNOTATE_…; 0: one site of each statement, for names. The symbols' frames were looked up. With ANNOTATE_SIZES or
 * ANNOTATE_TIMES all calls are walked, with ANNOTATE_SITES those of some ranks. All have to stay. */
enum refrain_status annotations_create(struct annotations *n, const struct logical *l, const struct reader *r,
                                       const struct definitions *d, const struct symbols *s, unsigned what);
void annotations_free(struct annotations *n); /* also of a zeroed struct */

/* Gives the procedures names. (procedure_names.c) */
enum refrain_status annotations_name_procedures(const struct annotations *n, struct logical *l);
/* "exchange (halo.c:31), 80 bytes, 1.2 us, 3.1 %, then MPI_Waitall 12 %"; nothing if nothing is known. */
void annotations_put(const struct annotations *n, const struct logical *l, const struct step *s,
                     struct bytes *out);

#endif
