/* SPDX-License-Identifier: BSD-3-Clause */
/* A logical program as text (docs/LOGICAL.md). */
#ifndef REFRAIN_LOGICAL_TEXT_H
#define REFRAIN_LOGICAL_TEXT_H

#include "decoder/util/output.h"
#include "annotations.h"

/* `notes` may be NULL. */
enum refrain_status logical_put_text(const struct logical *l, const struct annotations *notes,
                                     struct output *out);
/* An object. (logical_json.c) */
enum refrain_status logical_put_json(const struct logical *l, const struct annotations *notes,
                                     struct output *out);

#endif
