/* SPDX-License-Identifier: BSD-3-Clause */
/* What the calls say of a program's statements: where in the source they are, what they move, how long they take;
 * and what procedures may be called, which is a function that all of their statements are in. */
#ifndef REFRAIN_NOTES_H
#define REFRAIN_NOTES_H

#include "decoder/loops/event_lane.h"
#include "decoder/trace/symbols.h"
#include "decoder/trace/timed_lane.h"
#include "logical.h"

enum { NOTE_SITES = 1, NOTE_SIZES = 2, NOTE_TIMES = 4 };

/* Call sites of a statement that are told. */
enum { NOTE_SITES_MOST = 4 };

struct note {
    uint32_t sites[NOTE_SITES_MOST];
    uint32_t n_sites; /* the first ones; NOTE_SITES_MOST + 1: there are more */
    /* Of NOTE_SIZES and NOTE_TIMES: */
    struct number bytes;  /* by process of the step: of a call */
    bool varies;          /* of a process they are not always the same: */
    uint64_t least, most; /* of all */
    uint64_t calls;
    uint64_t time; /* in all of them, ns */
};

struct notes {
    unsigned what;
    const struct reader *reader;
    const struct symbols *symbols;
    struct arena arena;
    struct note *items; /* by number of an event's step */
    uint64_t run;       /* ns, of all processes together */
};

/* `what`: NOTE_…; 0: one site of each statement, for names. The symbols' frames were looked up. With NOTE_SIZES or
 * NOTE_TIMES all calls are walked, with NOTE_SITES those of some ranks. All have to stay. */
enum refrain_status notes_create(struct notes *n, const struct logical *l, const struct reader *r,
                                 const struct definitions *d, const struct symbols *s, unsigned what);
void notes_free(struct notes *n); /* also of a zeroed struct */

/* Gives the procedures names. (procedure_names.c) */
enum refrain_status notes_name_procedures(const struct notes *n, struct logical *l);
/* "exchange (halo.c:31), 80 bytes, 1.2 us, 3.1 %"; nothing if nothing is known. */
void notes_put(const struct notes *n, const struct logical *l, const struct step *s, struct bytes *out);

#endif
