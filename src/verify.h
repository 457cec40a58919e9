/* REFRAIN_VERIFY: every record as it is before compression (raw.h), one file for each lane of the rank:
 *
 *     DIR/rank.R.lane.N.raw       the calls of thread N
 *     DIR/rank.R.definitions.raw  the definitions
 *
 * The rank is known only after MPI_Init; what comes before waits in memory. A file that cannot be written is
 * said once, and the program runs on without. */
#ifndef REFRAIN_VERIFY_H
#define REFRAIN_VERIFY_H

#include <stdint.h>

#include "trace.h"

/* A record of a lane; nothing happens unless the user asked for it. */
void verify_record(enum lane_kind kind, uint64_t site_hash, const int64_t *slots, uint32_t n);
/* Keep nothing, for a reason that the user is told if he asked for it. */
void verify_disable(const char *reason);
/* Creates the files of this rank. */
void verify_open(int rank);
/* Writes what is left. */
void verify_flush(void);
/* The same, and closes. */
void verify_close(void);

#endif
