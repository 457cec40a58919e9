/* SPDX-License-Identifier: BSD-3-Clause */
/* A logical program as text (docs/LOGICAL.md). */
#ifndef REFRAIN_LOGICAL_TEXT_H
#define REFRAIN_LOGICAL_TEXT_H

#include "annotations.h"

#include "decoder/logical/joint/joint.h"
#include "decoder/util/output.h"

/* `notes` may be NULL. */
enum refrain_status logical_put_text(const struct logical *l, const struct annotations *notes,
                                     struct output *out);
/* The same, with a send and a receive that meet written as a message (docs/MODEL.md). */
enum refrain_status logical_put_joint(const struct logical *l, struct joint *joint,
                                      const struct annotations *notes, struct output *out);
/* Appends "64 ranks: 8x8 grid, rank = 8*y + x". */
void logical_put_ranks(const struct compass *c, struct bytes *out);
/* Writes the program as a JSON object. (logical_json.c) */
enum refrain_status logical_put_json(const struct logical *l, const struct annotations *notes,
                                     struct output *out);

#endif
