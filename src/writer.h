/* The trace as a file. */
#ifndef REFRAIN_WRITER_H
#define REFRAIN_WRITER_H

#include <stdbool.h>

#include "status.h"
#include "trace.h"

/* Settles the trace of all ranks, and writes it where the user asked for it, or as PROGRAM.refrain in the
 * working directory, PROGRAM.2.refrain … when there are such files already. A file is there as a whole or not
 * at all, and only the one that the user named is replaced. Programs that were spawned by another one never
 * replace a file: NAME.2.refrain … for them. */
enum refrain_status writer_write(struct trace *t, bool spawned);

#endif
