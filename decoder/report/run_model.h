/* SPDX-License-Identifier: BSD-3-Clause */
/* The run as one program, as the lines of `refrain model`. */
#ifndef REFRAIN_RUN_MODEL_H
#define REFRAIN_RUN_MODEL_H

#include "decoder/util/output.h"
#include "report.h"

/* Appends the lines, to be compared with those of another run; nothing if there are too many for anybody to
 * read. The report has a model. */
enum refrain_status run_model_put(const struct report *r, struct bytes *out);
/* Prints the lines with places in the source, sizes and times, as far as the trace has them; `out->most` is the
 * limit. Where the constructs alone exceed it, each is printed separately. */
enum refrain_status run_model_annotate(const struct report *r, struct output *out);

#endif
