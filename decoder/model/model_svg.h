/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a program as a drawing (docs/MODEL.md). */
#ifndef REFRAIN_MODEL_SVG_H
#define REFRAIN_MODEL_SVG_H

#include "decoder/util/output.h"
#include "model.h"

/* One SVG document: a line for each process, loops once, as boxes; from left to right is logical time. */
enum refrain_status model_put_svg(const struct model *m, struct output *out);

#endif
