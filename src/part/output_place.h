/* SPDX-License-Identifier: BSD-3-Clause */
/* Can the trace be written where it is to go? Found out in MPI_Init, and once more at the end, since the program
 * may have given up a right, a folder or its environment: no run is lost because of a name.
 *
 *     REFRAIN_OUTPUT, or PROGRAM in the working directory
 *       └─ the same name in the working directory ── in $TMPDIR ── in /tmp      the first that will do
 *
 * In another place no file is replaced: the trace takes a name that is free. */
#ifndef REFRAIN_OUTPUT_PLACE_H
#define REFRAIN_OUTPUT_PLACE_H

#include <stdbool.h>

/* False if it will do where it is, or nowhere. Otherwise another place, for config_move_output, into PATH_MAX
 * bytes. Rank 0 says what is wrong. */
bool output_place_find_other(char *stem);
/* At the end, of this rank's files: the next place, if the present one will not do any more; */
void output_place_check(void);
/* or since it has failed, for this reason (errno). False: there is none. */
bool output_place_has_failed(int why);

#endif
