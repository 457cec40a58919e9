/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the trace as a file, in steps, because other ranks may write the annex:
 *
 *     writer_begin     header and sections
 *     writer_add …     the annex; or other ranks write into file.temporary, from `length` on
 *     writer_end       the file gets its name */
#ifndef REFRAIN_WRITER_H
#define REFRAIN_WRITER_H

#include <stdbool.h>

#include "src/core/base/replace.h"
#include "src/core/base/status.h"
#include "src/core/trace/trace.h"

#define WRITER_HEAD 4096

struct writer {
    char path[PATH_MAX];
    bool spawned;           /* another program started this one by MPI */
    bool (*moves)(int why); /* if writing fails (errno `why`): is there another place? May be NULL */
    bool reserved;          /* an empty file of that name was made, to reserve the name */
    bool renamed;           /* a trace with the plain name exists already */
    bool open;              /* if true, the following are valid: */
    struct replacement file;
    uint64_t length; /* bytes so far */
    uint32_t sum;    /* low bits of XXH64 of its first WRITER_HEAD bytes, or all if it is shorter */
};

/* Settle the trace of all ranks, and begin to write it: to the place that the user asked for, or to
 * PROGRAM.refrain in the working directory (PROGRAM.2.refrain … if that exists). A file exists either
 * completely or not at all, and only a file that the user named is replaced. Programs spawned by another
 * one never replace a file; they write NAME.2.refrain … instead. The caller must call writer_end, also
 * after an error. A trace without an annex is freed as soon as its sections are made; then the merge heap
 * is closed (merge_heap.h). */
enum refrain_status writer_begin(struct writer *w, struct trace *t, bool spawned, bool (*moves)(int why));
/* Begin again, with another annex; the trace must be settled. */
enum refrain_status writer_again(struct writer *w, struct trace *t);
enum refrain_status writer_add(struct writer *w, const void *data, size_t n);
/* Finish the file; if `status` is an error, there will be no file. Returns `status`, or an error of this
 * step. */
enum refrain_status writer_end(struct writer *w, enum refrain_status status);

#endif
