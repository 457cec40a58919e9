/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of a run: constructs of the global model (decoder/model), divided where all processes meet.
 *
 *     1       0 -> 1 tag5                            phase 1-2
 *     2       sync MPI_Bcast   [all]                 ── all processes have met
 *     3       for i0 = 1 to 100   [all]
 *     3.1       0 -> 1, 1 -> 0 tag7                  phase 3.5-2
 *     3.2       sync MPI_Allreduce   [all]           ──
 *     3.3       for i1 = 1 to i0 { 0 -> 1 }          phase 3.3-4
 *     3.4       sync MPI_Barrier   [all]             ──
 *     3.5       1 -> 0 tag8                          phase 3.5-2: it goes on in the next iteration
 *     3       done
 *     4       for i0 = 1 to 50 { 1 -> 0 }   [all]    phase 4
 *     5       0 local work                           phase 5
 *
 * A phase ends with a collective operation of all processes. A loop in which all processes meet is divided
 * like the top level. Another loop of all processes at the top level is a phase of its own; the others are a
 * part of the phase around. So each event is in one phase, and each process passes the phases in the same
 * order.
 *
 * Where there is a barrier before a loop that ends with one, the model's loop begins with a barrier. If the
 * same comes after a loop as at its begin, the phases are those of the program:
 *
 *     program   init  barrier  work  barrier  work  barrier  work  barrier
 *     model     init  for 3 {  barrier  work  }  barrier
 *     phases    1────────────  2────────────  2────────────  2──────────── */
#ifndef REFRAIN_RUN_PHASES_H
#define REFRAIN_RUN_PHASES_H

#include "decoder/model/construct_path.h"
#include "decoder/model/model.h"

/* From so many phases on, bodies are not divided any more. */
#define RUN_PHASES_MOST 4096

#define RUN_PHASE_NONE UINT32_MAX

struct run_phase {
    struct construct_path first;
    uint64_t last;      /* number of the last construct, in the same body: the next iteration's, if it is
                           less than the first one's */
    bool met;           /* it ends with a collective operation of all processes */
    bool loop;          /* it is in a loop of all processes of the top level, or is that loop */
    bool leads;         /* it is the begin of a loop's first iteration, as the end of what comes before */
    uint32_t same;      /* it is nothing but a part of this other phase; RUN_PHASE_NONE: it is a phase */
    uint32_t from_site; /* of the first event and of the last one, in the first process that has it; … */
    uint32_t to_site;   /* … RUN_PHASE_NONE: no process has it (phase_places.h) */
};

/* Constructs in a row: a phase, its end or its begin, or a loop that is divided. */
struct phase_step {
    bool is_body;
    uint32_t number;   /* of the phase, or of the loop's body */
    uint32_t count;    /* number among all steps */
    size_t first, end; /* the constructs first … end - 1 of the body */
    bool begins, ends; /* the phase */
};

/* A body that is divided: the top level, or that of a loop. */
struct phase_body {
    const struct system *system;
    const struct construct *loop; /* NULL: the top level */
    uint32_t lead; /* the phase of the first step in the first iteration; RUN_PHASE_NONE: no other one */
    ARRAY(struct phase_step) steps;
};

struct run_phases {
    ARRAY(struct run_phase) items;   /* in the order of the model */
    ARRAY(struct phase_body) bodies; /* the first one is the top level */
    uint32_t n_steps;
};

/* The model must outlive the phases. The caller frees *p, also after an error. */
enum refrain_status run_phases_create(struct run_phases *p, const struct model *m);
void run_phases_free(struct run_phases *p); /* also of a zeroed struct */

/* "3.1-4": the constructs from one phase to another one. "3.5-2" goes on in the next iteration; "2-3.2" leads
 * into a loop. */
void run_phases_put_path(const struct run_phases *p, uint32_t first, uint32_t last, struct bytes *out);

/* ---- what a process does --------------------------------------------------------------------- */

/* A process is in a phase, for so many of its events. The phase may go on from the visit before, or in the
 * next one. */
struct phase_visit {
    uint32_t phase;
    bool begins, ends;
    uint64_t events;
};

struct phase_walk {
    const struct run_phases *phases;
    uint32_t process, depth;
    uint64_t *events; /* by step: of each visit; UINT64_MAX: that varies */
    uint64_t indices[SYSTEM_DEPTH_MAX + 1];
    struct phase_frame {
        uint32_t body;
        size_t step;
        uint64_t count; /* iterations of the body */
    } frames[SYSTEM_DEPTH_MAX + 1];
};

enum refrain_status phase_walk_start(struct phase_walk *w, const struct run_phases *p, uint32_t process);
void phase_walk_stop(struct phase_walk *w); /* also of a zeroed struct */
/* Finds the next visit that has events. Returns false at the end. */
bool phase_walk_next(struct phase_walk *w, struct phase_visit *visit);

#endif
