/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of many processes in a text file, one a line (docs/LOOPS.md):
 *
 *     PROC send DST TAG      PROC recv SRC TAG      PROC sync NAME GROUP      PROC local WORD…
 *
 * PROC is a number, the others are words, divided by blanks. Decimal digits at the end of a word are a number
 * of the event, of a word that is nothing else with its sign; leading zeros, or more digits than 18, are
 * text. Empty lines and those that begin with # are passed over. */
#ifndef REFRAIN_EVENT_FILE_H
#define REFRAIN_EVENT_FILE_H

#include "loop_groups.h"

/* Model the events of each process, with blocks up to `window` (nlr_create), into *groups, by process. "-" is
 * the standard input. What is wrong is logged with its line. */
enum refrain_status event_file_model(const char *path, size_t window, struct event_templates *templates,
                                     struct loop_groups *groups);

#endif
