/* SPDX-License-Identifier: BSD-3-Clause */
/* The run as one program for all processes. Each statement is written once, with the condition for its ranks,
 * and with directions instead of partners.
 *
 *     rank 0          rank 1          rank 2                   program
 *     send 1 tag5                                              send x+1 tag5   if x < 2
 *                     recv 0 tag5     recv 1 tag5              recv x-1 tag5   if x > 0
 *                     send 2 tag5
 *     sync bcast      sync bcast      sync bcast               bcast
 *
 * A step is an event, a loop, or a call of a procedure, of some of the processes. Its numbers have one value
 * per process. They are affine in the indices of the loops around, except for one loop, which may have a
 * separate value for each iteration:
 *
 *     for i0 = 1 to 3                     number: 2 processes, 3 cells of level 0
 *       send x+1 tag{14,1,4}              values  14 1 4   15 2 5
 *
 * Expanded for one process, the program gives exactly that process's sequence of events (logical_walk.h).
 * Steps do not change after the program is made. All memory is in one arena. */
#ifndef REFRAIN_LOGICAL_H
#define REFRAIN_LOGICAL_H

#include "compass.h"
#include "decoder/model/model.h"
#include "decoder/util/text_table.h"

/* Placeholders in the text of forms: a number, and the partner. */
enum { FORM_NUMBER = EVENT_NUMBER, FORM_PARTNER = EVENT_RANK };

struct number {
    uint64_t *values; /* by process of the step and cell */
    uint32_t cells;   /* 1, or the iterations of the loop `level` */
    uint32_t level;
    uint64_t *coefs; /* coefficients of the indices of the loops around; indices count from 0 */
};

struct steps {
    struct step **items;
    size_t n;
    /* Only of a finished program, and only of many steps: those of process p are of_process[first[p]] …
     * of_process[first[p + 1] - 1], in their order. NULL: not made. */
    const uint32_t *first, *of_process;
};

struct step {
    enum { STEP_EVENT, STEP_LOOP, STEP_CALL } kind;
    uint32_t depth;            /* loops around */
    const uint32_t *processes; /* ascending */
    uint32_t n_processes;
    /* of an event */
    uint32_t number; /* number of the event's statement in the program */
    uint32_t form;   /* "send @ tag# comm#", without who acts */
    uint32_t n;
    struct number *numbers; /* without the partner */
    bool has_partner;
    struct direction partner;
    uint64_t *partner_coefs; /* coefficients of the indices around */
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
    const char *name; /* NULL: it has no name, only a number */
};

/* The program of all processes that have the same thread number. */
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
    uint64_t compared; /* events with statements, while sequences were merged */
    bool is_cut;       /* that was too much: some sequences share no statements, though they might */
};

/* The model and the compass must outlive the program. */
enum refrain_status logical_create(struct logical *l, const struct model *m, const struct compass *c);
void logical_free(struct logical *l); /* also of a zeroed struct */

static inline uint32_t logical_rank(const struct logical *l, uint32_t process)
{
    return l->model->processes.items[process].rank;
}

/* Returns the index of a process among the step's processes. The step must have the process. */
size_t step_place(const struct step *s, uint32_t process);
bool step_has(const struct step *s, uint32_t process);
/* Returns the value of a number for the process at `place`, at these indices. */
uint64_t number_value(const struct number *n, size_t place, uint32_t depth, const uint64_t *indices);
/* Returns the partner's rank. */
uint32_t step_partner(const struct logical *l, const struct step *s, uint32_t process,
                      const uint64_t *indices);

#endif
