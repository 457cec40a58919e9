/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the records of REFRAIN_VERIFY: every record before compression (verify_record.h), one file for
 * each lane:
 *
 *     DIR/rank.R.lane.N.raw       the calls of thread N
 *     DIR/rank.R.definitions.raw  the definitions
 *     DIR/rank.R.unnumbered.I.raw a thread's, until lanes are numbered
 *     DIR/rank.R.run              the number of the run, in hexadecimal digits
 *     DIR/RUN/…                   files of a world that the program spawned, by that number
 *
 * The rank is known only after MPI_Init; earlier records wait in memory. If a file cannot be written, this
 * is logged once, and the program continues without it. */
#ifndef REFRAIN_VERIFY_WRITER_H
#define REFRAIN_VERIFY_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/bytes.h"
#include "src/core/base/timestamp.h"

/* The writer of one lane; protected like the lane. */
struct verify_writer {
    bool definitions;
    uint32_t id;    /* of a thread's lane: counted in the order of creation, … */
    int64_t number; /* … and its number in the file name; -1: none yet */
    int fd;         /* valid while `open` */
    bool open;
    uint64_t left;        /* when the call of the last record ended */
    struct bytes pending; /* not yet written */
};

void verify_init(struct verify_writer *f, uint32_t id);
void verify_init_definitions(struct verify_writer *f);
/* Write a record of a lane; does nothing unless REFRAIN_VERIFY is set. `timestamps` are those of the call;
 * NULL for a definition. */
void verify_writer_put(struct verify_writer *f, uint64_t site_hash, const int64_t *slots, uint32_t n,
                       const struct timestamp *timestamps);
/* Write nothing from now on. `reason` is logged if REFRAIN_VERIFY is set. */
void verify_disable(const char *reason);
/* The process was spawned by others, whose files are in the directory already. */
void verify_separate(uint64_t run);
/* Allow files to be created from now on, and write the number of the run. */
void verify_open(int rank, uint64_t run);
/* The records so far belong to a part that has the program's end. Keep later records in memory until the
 * program is known to continue. */
void verify_hold(bool hold);
/* Write what is left, under the numbers of the lanes. Threads must be paused and their lanes numbered. */
void verify_flush(void);
/* The same, and close the files. */
void verify_close(uint64_t run);

#endif
