/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs made at random: nested loops of messages, operations and exchanges of a few processes. */
#ifndef REFRAIN_TEST_RANDOM_PROGRAM_H
#define REFRAIN_TEST_RANDOM_PROGRAM_H

#include "model_program.h"

enum { PROCESSES_MAX = 5 };

struct random_program {
    struct program p;
    uint64_t state;
    uint32_t processes;
    bool causal;
    uint32_t index[8], depth;                       /* of the loops around */
    uint32_t pending[PROCESSES_MAX][PROCESSES_MAX]; /* messages sent with tag "late" and not received */
    size_t steps;
};

/* `causal`: nothing is received before it is sent. The program is modelled; program_end is the caller's to call. */
void random_program_make(struct random_program *r, unsigned seed, bool causal);

#endif
