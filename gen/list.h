/* SPDX-License-Identifier: BSD-3-Clause */
/* gen --list: the model as text, sorted, one procedure or callback type a line, for people and tests.
 *
 *     MPI_Pready part ERROR_CODE model,c,lis,f90,f08 partition=PARTITION,in request=REQUEST,in,lis=inout …
 *
 * Name, chapter, kind of the result, words about the procedure, parameters with words about them; blanks
 * between. A large-count procedure has a line of its own.
 *
 * Of a procedure: model (always), c, lis, f90, f08 (what has it), large, callback (it is a type), removed,
 * predefined=TYPE. Of a parameter: its kind, direction, lis= (direction in the language-independent
 * specification, if another one), length=, function= (type), const, async, optional, root (significant only
 * there), pointer, value (no pointer although written to), no-c, no-lis, no-f90, no-f08 (what lacks it). */
#ifndef GEN_LIST_H
#define GEN_LIST_H

#include <stdio.h>

#include "interface_model.h"

void list_model(FILE *out, const struct model *m);

#endif
