/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of many processes in a text file, one event per line (refrain-loops(1)):
 *
 *     PROC send DST TAG      PROC recv SRC TAG      PROC sync NAME GROUP      PROC local WORD…
 *
 * PROC is a number, the others are words, separated by blanks. Decimal digits at the end of a word are a
 * number of the event. A sign belongs to the number only if the word has nothing else. Leading zeros, or more
 * than 18 digits, are text. Empty lines and lines that begin with # are skipped. */
#ifndef REFRAIN_EVENT_FILE_H
#define REFRAIN_EVENT_FILE_H

#include "loop_groups.h"

/* Makes the loop model of each process, with blocks up to `window` (nlr_create), and adds the models to
 * *groups, by process. The path "-" is the standard input. Errors are logged with their line. */
enum refrain_status event_file_model(const char *path, size_t window, struct event_templates *templates,
                                     struct loop_groups *groups);

#endif
