/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what describes a procedure once more say the same? If not, that is refused, or warned of, where it stands. What
 * is broken has been refused already, and agrees with everything. */
#ifndef GEN_AGREE_H
#define GEN_AGREE_H

#include "tex_parse.h"

/* A prototype, of the procedure or of its large-count twin. -1 if it differs. */
int agree_prototype(const struct prototype *p, const struct procedure *known, bool large);
/* A block: the language-independent parameters. false if the model has no such procedure. */
bool agree_block(const struct funcdef *block, const struct model *m);
/* An mpi-binding block in a file that is only compared. */
void agree_procedure(const struct procedure *p, const struct procedure *known);

#endif
