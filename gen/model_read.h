/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading the model out of the LaTeX sources. */
#ifndef GEN_MODEL_READ_H
#define GEN_MODEL_READ_H

#include "interface_model.h"

/* Reads and checks what all files say together. 0 with *out set; -1 when something is refused, which it said.
 */
int model_read(char *const files[], size_t n, struct model *out);

/* For the parsers: appends a procedure or callback type; refuses it if there is one of its name. */
int model_add(struct model *m, const struct procedure *p, bool callback);
const struct procedure *model_find(const struct procedure *list, size_t n, const char *name);

#endif
