/* SPDX-License-Identifier: BSD-3-Clause */
/* REFRAIN_VERIFY: every record as it is before compression (verify_record.h), one file for each lane:
 *
 *     DIR/rank.R.lane.N.raw       the calls of thread N
 *     DIR/rank.R.definitions.raw  the definitions
 *     DIR/rank.R.unnumbered.I.raw a thread's, until lanes are numbered
 *     DIR/rank.R.run              the number of the run, in hexadecimal digits
 *
 * The rank is known only after MPI_Init; what comes before waits in memory. A file that cannot be written is
 * said once, and the program runs on without. */
#ifndef REFRAIN_VERIFY_WRITER_H
#define REFRAIN_VERIFY_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/bytes.h"
#include "src/core/base/timestamp.h"

/* Of one lane; who touches that touches it. */
struct verify_writer {
    bool definitions;
    uint32_t id;    /* of a thread's lane: in the order in which they began, … */
    int64_t number; /* … and its number in the name; -1: none yet */
    int fd;         /* valid while `open` */
    bool open;
    uint64_t left;        /* when the call of the last record ended */
    struct bytes pending; /* not yet written */
};

void verify_init(struct verify_writer *f, uint32_t id);
void verify_init_definitions(struct verify_writer *f);
/* A record of a lane; nothing happens unless the user asked for it. `timestamps` are the call's, NULL for a
 * definition. */
void verify_writer_put(struct verify_writer *f, uint64_t site_hash, const int64_t *slots, uint32_t n,
                       const struct timestamp *timestamps);
/* Keep nothing, for a reason that the user is told if he asked for it. */
void verify_disable(const char *reason);
/* Files can be created from now on; the number of the run goes with them. */
void verify_open(int rank, uint64_t run);
/* The records so far are those of a part that tells the end: others wait in memory, until it is known that the
 * program goes on. */
void verify_hold(bool hold);
/* While threads are paused and their lanes numbered: writes what is left, under the numbers of the lanes. */
void verify_flush(void);
/* The same, and closes. */
void verify_close(uint64_t run);

#endif
