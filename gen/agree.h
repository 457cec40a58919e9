/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a second description of a procedure with the model. A difference is refused, or a warning is
 * printed, at its place in the source. A broken description was refused before, and agrees with
 * everything. */
#ifndef GEN_AGREE_H
#define GEN_AGREE_H

#include "tex_parse.h"

/* Compares a prototype of the procedure or of its large-count variant. Returns -1 if it differs. */
int agree_prototype(const struct prototype *p, const struct procedure *known, bool large);
/* A block: the language-independent parameters. false if the model has no such procedure. */
bool agree_block(const struct funcdef *block, const struct model *m);
/* Compares an mpi-binding block of a file that is only compared. */
void agree_procedure(const struct procedure *p, const struct procedure *known);

#endif
