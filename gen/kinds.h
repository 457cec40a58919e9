/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of kinds in kinds.def. kind_find() is declared in interface_model.h. */
#ifndef GEN_KINDS_H
#define GEN_KINDS_H

#include "interface_model.h"

extern const struct kind kinds[]; /* sorted by name */
extern const size_t n_kinds;

/* The kind with this C type; NULL if there is none, or more than one. */
const struct kind *kind_of_c(const char *type);

/* Whether its type differs in the large-count procedure. */
bool kind_has_large(const struct kind *kind);

#endif
