/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of the trace, if it cannot be written where the user wants it. This is checked in
 * MPI_Init and again at the end, since the program may have lost a permission, a folder or its
 * environment meanwhile. So no run is lost because of a bad name.
 *
 *     REFRAIN_OUTPUT, or PROGRAM in the working directory
 *       └─ the same name in the working directory ── in $TMPDIR ── in /tmp      the first that is writable
 *
 * In another place no file is replaced: the trace gets a free name. */
#ifndef REFRAIN_OUTPUT_PLACE_H
#define REFRAIN_OUTPUT_PLACE_H

#include <stdbool.h>

/* If the wanted place is not writable, find another one for config_move_output, and write it to
 * `stem` (PATH_MAX bytes). False if no other place is needed, or if there is none. Rank 0 logs the
 * reason. */
bool output_place_find_other(char *stem);
/* Call this at the end: if this rank's place is no longer writable, change to the next one. */
void output_place_check(void);
/* Change to the next place because writing has failed with this errno. False if there is none. */
bool output_place_has_failed(int why);

#endif
