/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts: what this rank has recorded so far, as a file, for runs that end without MPI_Finalize.
 *
 *     NAME.refrain.parts/RUN/rank.R.part      the same bytes that go up the merge tree (docs/FORMAT.md, Parts)
 *
 * Runs of one program may go on at the same time, as steps of a job and tasks of an array do: each has a
 * directory of its own, named by the run's number in hexadecimal. `refrain merge` puts the parts of a run
 * together. A part is there as a whole or not at all; a later one takes the place of an earlier one. Threads
 * have to be paused. */
#ifndef REFRAIN_PART_H
#define REFRAIN_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

/* Key in META of a part of a rank that has ended well. */
#define PART_COMPLETE "complete"

/* Decides on the names, once rank and run are known; nothing is created yet. */
enum refrain_status part_start(void);
/* Writes the part. flags: CODEC_STORED or 0. */
enum refrain_status part_write(unsigned flags);
/* The last part of a rank that has ended well. */
enum refrain_status part_write_complete(void);
/* On stderr, once for the run: there are parts instead of a trace, and what makes one of them. */
void part_announce(void);
/* The run has its trace: removes this rank's part, if one was written, and the directory if it is empty. */
void part_remove(void);
/* Both directories, as far as nothing is in them. */
void part_remove_directories(void);
/* The directory of the run's parts, and in it that of a rank, into PATH_MAX bytes; false if that is too long. */
const char *part_directory(void);
bool part_path(int rank, char *out);
/* A name in the working directory as the whole path, into PATH_MAX bytes; false, with errno, if that fails.
 */
bool part_absolute(const char *name, char *out);

/* A part of an unfinished run, and when the next one is due, in nanoseconds of clock_now: after REFRAIN_CHECKPOINT
 * seconds at least, and so long that they take less than a twentieth of the run. CHECKPOINT_NEVER: there are no
 * more, as after the first failure, which is logged. */
uint64_t part_checkpoint(void);
/* May one be made now that nobody has planned? Not if the parts would take more than that share of the time,
 * nor after the last one. */
bool part_may_checkpoint(void);
/* Such a one has taken so long, whatever came of it. */
void part_took(uint64_t nanoseconds);

#endif
