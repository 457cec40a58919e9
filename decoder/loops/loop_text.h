/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop models as text for people, as JSON, and as the events that they stand for (refrain-loops(1)). */
#ifndef REFRAIN_LOOP_TEXT_H
#define REFRAIN_LOOP_TEXT_H

#include "decoder/util/json.h"
#include "decoder/util/output.h"
#include "loop_notes.h"

/* Appends ranks as "0-3,8"; ranks with a constant stride as "0-12:4". */
void loop_put_ranks(const uint32_t *ranks, size_t n, struct bytes *out);
/* Appends a term of an affine number: a sign if needed, a factor ("3*") and the index ("i0"). */
void loop_put_term(int64_t factor, uint32_t index, bool first, struct bytes *out);
/* Writes group number `number` as text, or as a JSON object. `notes`: on its events; NULL: none. */
enum refrain_status loop_put_text(const struct loop_groups *g, size_t number, const struct loop_notes *notes,
                                  struct output *out);
enum refrain_status loop_put_json(const struct loop_groups *g, size_t number, const struct loop_notes *notes,
                                  struct json *json, struct output *out);
/* Writes every event of one rank, one per line. */
enum refrain_status loop_put_events(const struct loop_groups *g, const struct loop_member *member,
                                    struct output *out);

#endif
