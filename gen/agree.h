/* SPDX-License-Identifier: BSD-3-Clause */
/* Compare a second description of a procedure with the model. A difference causes an error or a
 * warning, with its place in the source. A broken description has been reported before, and agrees
 * with everything. */
#ifndef GEN_AGREE_H
#define GEN_AGREE_H

#include "tex_parse.h"

/* Compare a prototype with the procedure or its large-count variant. -1 if they differ. */
int agree_prototype(const struct prototype *p, const struct procedure *known, bool large);
/* Compare a block, which has the language-independent parameters. False if the model has no such
 * procedure. */
bool agree_block(const struct funcdef *block, const struct model *m);
/* Compare an mpi-binding block of a file that is only compared. */
void agree_procedure(const struct procedure *p, const struct procedure *known);

#endif
