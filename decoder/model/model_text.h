/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a program as text for people, as JSON, and as the events of a process (docs/MODEL.md). */
#ifndef REFRAIN_MODEL_TEXT_H
#define REFRAIN_MODEL_TEXT_H

#include "decoder/util/output.h"
#include "model.h"

enum refrain_status model_put_text(const struct model *m, struct output *out);
/* The same, with the path of its constructs in front of each line (construct_path.h). */
enum refrain_status model_put_paths(const struct model *m, struct output *out);
enum refrain_status model_put_json(const struct model *m, struct output *out);
/* Every event that the model has of a process, a line each. */
enum refrain_status model_put_events(const struct model *m, uint32_t process, struct output *out);

/* Where the partner of a message ends in the text of its template, or the process of another event. */
size_t model_head_end(const char *template, size_t n);
/* Bytes from … end - 1 of an event's template, with numbers for indices that count from 1. */
void model_put_event(const struct model *m, const struct act *act, uint32_t depth, size_t from, size_t end,
                     struct bytes *out);
/* A number, for such indices; if it is more than a plain number, in brackets, should they be wanted. */
void model_put_affine(const uint64_t *words, uint32_t depth, bool brackets, struct bytes *out);
/* Is it a send with its receive? Otherwise events of several processes are a collective operation. */
bool model_is_message(const struct model *m, const struct construct *c);
/* The ranks of some processes, as "0-3,8". */
enum refrain_status model_put_ranks(const struct model *m, const uint32_t *processes, size_t n,
                                    struct bytes *out);

#endif
