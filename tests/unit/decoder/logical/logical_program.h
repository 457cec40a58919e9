/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs said as lines of events (model_program.h), as logical programs: with the topology of their own messages. */
#ifndef REFRAIN_TEST_LOGICAL_PROGRAM_H
#define REFRAIN_TEST_LOGICAL_PROGRAM_H

#include "decoder/logical/view/logical_text.h"

#include "tests/unit/support/model_program.h"

struct logical_program {
    struct pattern_library library;
    struct matrix matrix;
    struct traffic traffic;
    struct survey survey;
    struct compass compass;
    struct logical logical;
};

/* Of a program that program_model was called for, with ranks 0 … n_ranks - 1. */
void logical_start(struct logical_program *l, const struct program *p, uint32_t n_ranks);
/* Expanded, it is each process's own lines, also with its messages put together. */
void logical_check(const struct logical_program *l, const struct program *p);
void logical_end(struct logical_program *l);
/* Models the program, checks that its text, without lines that begin with #, is this, and ends it. */
void logical_expect(struct program *p, uint32_t n_ranks, const char *text);
/* … with its messages put together (joint.h). */
void joint_expect(struct program *p, uint32_t n_ranks, const char *text);

#endif
