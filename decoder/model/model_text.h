/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a program as text for people, as JSON, and as the events of a process (docs/MODEL.md). */
#ifndef REFRAIN_MODEL_TEXT_H
#define REFRAIN_MODEL_TEXT_H

#include "decoder/util/output.h"
#include "model.h"

enum refrain_status model_put_text(const struct model *m, struct output *out);
/* The same, with the path of the constructs before each line (construct_path.h). */
enum refrain_status model_put_paths(const struct model *m, struct output *out);
enum refrain_status model_put_json(const struct model *m, struct output *out);
/* Writes every event of a process, one per line. */
enum refrain_status model_put_events(const struct model *m, uint32_t process, struct output *out);

/* Returns the offset in a template's text after a message's partner; for other events, after the process. */
size_t model_head_end(const char *template, size_t n);
/* Appends bytes `from` to `end` - 1 of an event's template, with its numbers. Indices are shown counting from
 * 1. */
void model_put_event(const struct model *m, const struct act *act, uint32_t depth, size_t from, size_t end,
                     struct bytes *out);
/* Appends a number, with indices that count from 1. `brackets`: put brackets around more than a plain
 * number. */
void model_put_affine(const uint64_t *words, uint32_t depth, bool brackets, struct bytes *out);
/* Is the construct a send with its receive? Otherwise several acts are a collective operation. */
bool model_is_message(const struct model *m, const struct construct *c);
/* The ranks of some processes, as "0-3,8". */
enum refrain_status model_put_ranks(const struct model *m, const uint32_t *processes, size_t n,
                                    struct bytes *out);

#endif
