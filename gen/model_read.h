/* SPDX-License-Identifier: BSD-3-Clause */
/* Read the model from the LaTeX sources. */
#ifndef GEN_MODEL_READ_H
#define GEN_MODEL_READ_H

#include "interface_model.h"
#include "sources.h"

/* Read and check all files that describe the interface, and compare them with those that are only
 * compared. 0 with *out set; -1 if there are errors, all of which have been printed. */
int model_read(const struct sources *s, struct model *out);

/* Add procedures from `file` that the model lacks and that `wanted` accepts, with a warning for
 * each. 0, or -1 as above. */
int model_read_more(const char *file, bool (*wanted)(const struct procedure *p, const void *context),
                    const void *context, struct model *m);
/* Add the tracer's own procedures, from `file`. 0, or -1 as above. */
int model_read_own(const char *file, struct model *m);

/* For the parsers: append a procedure or callback type. An error if the name exists. */
int model_add(struct model *m, const struct procedure *p, bool callback);
const struct procedure *model_find(const struct procedure *list, size_t n, const char *name);

#endif
