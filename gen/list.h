/* SPDX-License-Identifier: BSD-3-Clause */
/* gen --list: the model as sorted text, one procedure or callback type per line, for people and
 * tests.
 *
 *     MPI_Pready part ERROR_CODE model,c,lis,f90,f08 partition=PARTITION,in request=REQUEST,in,lis=inout …
 *
 * A line has the name, the chapter, the kind of the result, words about the procedure, and the
 * parameters with words about them, separated by blanks. A large-count procedure has its own line.
 *
 * Words about a procedure: model (always); c, lis, f90, f08 (bindings that have it); large,
 * callback (a type), removed, predefined=TYPE. Words about a parameter: its kind, direction, lis=
 * (direction in the language-independent specification, if it differs), length=, function= (type),
 * const, async, optional, root (significant only there), pointer, value (no pointer although it is
 * written), no-c, no-lis, no-f90, no-f08 (bindings that lack it). */
#ifndef GEN_LIST_H
#define GEN_LIST_H

#include <stdio.h>

#include "interface_model.h"

void list_model(FILE *out, const struct model *m);

#endif
