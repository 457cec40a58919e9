/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop models as text for people, as JSON, and as the events that they stand for (docs/LOOPS.md). */
#ifndef REFRAIN_LOOP_TEXT_H
#define REFRAIN_LOOP_TEXT_H

#include "decoder/util/json.h"
#include "decoder/util/output.h"
#include "loop_groups.h"

/* Ranks as "0-3,8", those at equal distances as "0-12:4". */
void loop_put_ranks(const uint32_t *ranks, size_t n, struct bytes *out);
/* A term of an affine number: a sign where one is needed, and what is behind it, "3*" and "i0". */
void loop_put_term(int64_t factor, uint32_t index, bool first, struct bytes *out);
enum refrain_status loop_put_text(const struct loop_groups *g, const struct loop_group *group,
                                  struct output *out);
/* An object. */
enum refrain_status loop_put_json(const struct loop_groups *g, const struct loop_group *group,
                                  struct json *json, struct output *out);
/* Every event of one rank, a line each. */
enum refrain_status loop_put_events(const struct loop_groups *g, const struct loop_member *member,
                                    struct output *out);

#endif
