/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs said as lines of events (event_file.h), and what has to hold of the models that are made of them.
 */
#ifndef REFRAIN_TEST_MODEL_PROGRAM_H
#define REFRAIN_TEST_MODEL_PROGRAM_H

#include "decoder/loops/event_file.h"
#include "decoder/model/model_text.h"

/* A program as lines of events (event_file.h), and its model. */
struct program {
    struct bytes lines;
    struct event_templates templates;
    struct loop_groups groups;
    struct model model;
};

#define PROGRAM_KEYS_MAX 4096

/* The model as if all processes ran, in its order. */
struct program_run {
    const struct program *program;
    struct event_templates keys;
    uint64_t counts[PROGRAM_KEYS_MAX];
    bool causal; /* nothing may be received before it is sent */
    uint64_t messages, events;
};

/* One more line. */
void program_say(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Once all is said. */
void program_model(struct program *p);
void program_end(struct program *p);
/* Expanded, the model is each process's own lines. */
void program_check(const struct program *p);
/* Runs the model: what is one construct has to belong together, and, if `causal`, nothing may be received
 * before it is sent. */
struct program_run program_run(const struct program *p, bool causal);
/* Makes the model, which has to be this text, checks it, and ends the program. */
void program_expect(struct program *p, const char *text);

#endif
