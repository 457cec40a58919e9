/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a program as a drawing (docs/MODEL.md). */
#ifndef REFRAIN_MODEL_SVG_H
#define REFRAIN_MODEL_SVG_H

#include "decoder/util/output.h"
#include "model.h"

/* Writes one SVG document with a line for each process. Each loop is drawn once, as a box. Logical time goes
 * from left to right. */
enum refrain_status model_put_svg(const struct model *m, struct output *out);

#endif
