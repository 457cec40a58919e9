/* SPDX-License-Identifier: BSD-3-Clause */
/* The run as one program: what all processes do, each statement once, with the ranks that it is for and with
 * directions in place of partners.
 *
 *     rank 0          rank 1          rank 2                   program
 *     send 1 tag5                                              send x+1 tag5   if x < 2
 *                     recv 0 tag5     recv 1 tag5              recv x-1 tag5   if x > 0
 *                     send 2 tag5
 *     sync bcast      sync bcast      sync bcast               bcast
 *
 * A step is an event, a loop, or a call of a procedure, of some of the processes. Its numbers have a value for each
 * process; they are affine in the indices of the loops around, but for one loop, whose iterations may have values
 * of their own:
 *
 *     for i0 = 1 to 3                     number: 2 processes, 3 cells of level 0
 *       send x+1 tag{14,1,4}              values  14 1 4   15 2 5
 *
 * What the program says of one process is always that process's sequence of events (logical_walk.h). Steps do not
 * change once the program is made; all lies in one arena. */
#ifndef REFRAIN_LOGICAL_H
#define REFRAIN_LOGICAL_H

#include "compass.h"
#include "decoder/model/model.h"
#include "decoder/util/text_table.h"

/* In forms of events: holes of a number, and of the partner. */
enum { FORM_NUMBER = EVENT_NUMBER, FORM_PARTNER = EVENT_RANK };

struct number {
    uint64_t *values; /* by process of the step and cell */
    uint32_t cells;   /* 1, or the iterations of the loop `level` */
    uint32_t level;
    uint64_t *coefs; /* of the indices of the loops around, which count from 0 */
};

struct steps {
    struct step **items;
    size_t n;
};

struct step {
    enum { STEP_EVENT, STEP_LOOP, STEP_CALL } kind;
    uint32_t depth;            /* loops around */
    const uint32_t *processes; /* ascending */
    uint32_t n_processes;
    /* of an event */
    uint32_t number; /* among the program's */
    uint32_t form;   /* "send @ tag# comm#", without who acts */
    uint32_t n;
    struct number *numbers; /* but for the partner */
    bool has_partner;
    struct direction partner;
    uint64_t *partner_coefs; /* of the indices around */
    /* of a loop */
    struct number count;
    struct steps body;
    /* of a call */
    uint32_t procedure;
};

struct procedure {
    struct steps body; /* around depth 0 */
    const uint32_t *processes;
    uint32_t n_processes;
    const char *name; /* NULL: it has a number only */
};

/* The program of all processes with one number of a thread. */
struct section {
    uint32_t thread;
    const uint32_t *processes;
    uint32_t n_processes;
    struct steps body;
};

struct logical {
    const struct model *model;
    const struct compass *compass;
    struct arena arena;
    struct text_table forms;
    ARRAY(struct section) sections;
    ARRAY(struct procedure) procedures;
    uint32_t n_events; /* statements */
};

/* Both have to stay. */
enum refrain_status logical_create(struct logical *l, const struct model *m, const struct compass *c);
void logical_free(struct logical *l); /* also of a zeroed struct */

static inline uint32_t logical_rank(const struct logical *l, uint32_t process)
{
    return l->model->processes.items[process].rank;
}

/* The place of a process among those of a step, which it is one of. */
size_t step_place(const struct step *s, uint32_t process);
bool step_has(const struct step *s, uint32_t process);
/* A number of a process for some indices. */
uint64_t number_value(const struct number *n, size_t place, uint32_t depth, const uint64_t *indices);
/* The partner's rank. */
uint32_t step_partner(const struct logical *l, const struct step *s, uint32_t process,
                      const uint64_t *indices);

#endif
