/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts: the calls that this rank has recorded so far, as a file, for runs that end without
 * MPI_Finalize.
 *
 *     NAME.refrain.parts/RUN/rank.R.part      a trace as sent up the merge tree (docs/FORMAT.md, Parts)
 *
 * Several runs of one program may be active at the same time, such as steps of a job and tasks of
 * an array. Each has its own directory, named by the run's number in hexadecimal. `refrain merge`
 * merges the parts of a run. A part exists completely or not at all; a later part replaces an
 * earlier one. Threads must be paused. */
#ifndef REFRAIN_PART_H
#define REFRAIN_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/status.h"

/* key in META of a part whose rank has ended well */
#define PART_COMPLETE "complete"

/* Choose the names, when rank and run are known. Nothing is created yet. */
enum refrain_status part_start(void);
/* Write the part. flags: CODEC_STORED or 0. */
enum refrain_status part_write(unsigned flags);
/* Write the last part of a rank that has ended well. */
enum refrain_status part_write_complete(void);
/* Print on stderr, once for the run, that there are parts instead of a trace, and how to merge
 * them. */
void part_announce(void);
/* Remove this rank's part, if there is one, and the directory if it is empty: the run has its
 * trace. */
void part_remove(void);
/* Remove both directories, if they are empty. */
void part_remove_directories(void);
/* The directory of the run's parts; and the path of a rank's part, in PATH_MAX bytes, false if that
 * is too long. */
const char *part_directory(void);
bool part_path(int rank, char *out);
/* Make the path absolute, in PATH_MAX bytes; false, with errno, if that fails. */
bool part_absolute(const char *name, char *out);

/* Write a checkpoint, and return the time of the next one, in nanoseconds of clock_now: at least
 * REFRAIN_CHECKPOINT seconds later, and so late that checkpoints take less than a twentieth of the
 * run. CHECKPOINT_NEVER after the last one, or after a failure, which is logged. */
uint64_t part_checkpoint(void);
/* Whether an unplanned checkpoint may be made now: not if checkpoints would take more than that
 * share of the time, and not after the last one. */
bool part_may_checkpoint(void);
/* Note how long an unplanned checkpoint took, whether it succeeded or not. */
void part_took(uint64_t nanoseconds);

#endif
