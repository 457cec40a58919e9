/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace as a file, in steps, for its annex may come from elsewhere:
 *
 *     writer_begin     header and sections
 *     writer_add …     the annex; or others write into file.temporary, from `length` on
 *     writer_end       it has its name */
#ifndef REFRAIN_WRITER_H
#define REFRAIN_WRITER_H

#include <stdbool.h>

#include "src/core/base/replace.h"
#include "src/core/base/status.h"
#include "src/core/trace/trace.h"

#define WRITER_HEAD 4096

struct writer {
    char path[PATH_MAX];
    bool spawned;           /* the world was, by another one */
    bool (*moves)(int why); /* the file cannot be written (errno): is there another place now? May be NULL */
    bool reserved;          /* a file of that name was made, so that nobody else takes it */
    bool renamed;           /* since there is a trace of the plain name already */
    bool open;              /* then: */
    struct replacement file;
    uint64_t length; /* so far */
    uint32_t sum;    /* low bits of XXH64 of its first WRITER_HEAD bytes, or all if it is shorter */
};

/* Settles the trace of all ranks, and begins to write it where the user asked for it, or as PROGRAM.refrain
 * in the working directory, PROGRAM.2.refrain … when there are such files already. A file is there as a whole
 * or not at all, and only the one that the user named is replaced. Programs that were spawned by another one
 * never replace a file: NAME.2.refrain … for them. After an error, too, writer_end is to follow. A trace
 * without an annex is freed as soon as its sections are made, and the merge heap closed (merge_heap.h).
 */
enum refrain_status writer_begin(struct writer *w, struct trace *t, bool spawned, bool (*moves)(int why));
/* From the beginning, with another annex; the trace is settled. */
enum refrain_status writer_again(struct writer *w, struct trace *t);
enum refrain_status writer_add(struct writer *w, const void *data, size_t n);
/* With an error there is no file. Returns that, or what goes wrong now. */
enum refrain_status writer_end(struct writer *w, enum refrain_status status);

#endif
