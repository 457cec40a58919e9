/* SPDX-License-Identifier: BSD-3-Clause */
/* The run as one program (`refrain model`), as lines that are compared with those of another run. */
#ifndef REFRAIN_RUN_MODEL_H
#define REFRAIN_RUN_MODEL_H

#include "report.h"

/* Appends the lines; nothing if there are too many for anybody to read. The report has a model. */
enum refrain_status run_model_put(const struct report *r, struct bytes *out);

#endif
