/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the model out of the LaTeX sources. */
#ifndef GEN_MODEL_READ_H
#define GEN_MODEL_READ_H

#include "interface_model.h"
#include "sources.h"

/* Reads and checks what all files say together, and compares with it what is only to be compared. 0 with *out set; -1
 * when something is refused, which it said, all of it. */
int model_read(const struct sources *s, struct model *out);

/* Adds from `file` the procedures that the model lacks and `wanted` accepts, with a warning for each. 0, or -1
 * as above. */
int model_read_more(const char *file, bool (*wanted)(const struct procedure *p, const void *context),
                    const void *context, struct model *m);
/* Adds the procedures in `file`, which are the tracer's own. 0, or -1 as above. */
int model_read_own(const char *file, struct model *m);

/* For the parsers: appends a procedure or callback type; refuses it if there is one of its name. */
int model_add(struct model *m, const struct procedure *p, bool callback);
const struct procedure *model_find(const struct procedure *list, size_t n, const char *name);

#endif
