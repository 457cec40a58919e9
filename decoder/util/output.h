/* SPDX-License-Identifier: BSD-3-Clause */
/* What the command prints, on stdout or into a file, through one large buffer. If the reader goes away (a
 * closed pipe), the output ends without an error. */
#ifndef REFRAIN_OUTPUT_H
#define REFRAIN_OUTPUT_H

#include "src/core/base/bytes.h"
#include "src/core/base/replace.h"
#include "src/core/base/status.h"

struct output {
    struct bytes text; /* put what shall be printed here */
    bool closed;       /* the reader went away; whoever prints much should stop */
    bool kept;         /* the caller's to set: `text` alone is wanted, and all of it stays there, … */
    size_t most;       /* … or, if this is not 0, about this many bytes: then it is closed */
    bool wraps;        /* the caller's to set: lines longer than a terminal go on in the next one */
    const char *path;  /* NULL: stdout */
    struct replacement file;
};

/* Print into a file, which takes the place of what is there when output_end says so; a zeroed struct prints
 * on stdout. The path is kept by reference. */
enum refrain_status output_open(struct output *o, const char *path);

/* Write when the buffer has become large. */
enum refrain_status output_drain(struct output *o);
/* Write all that is left, and give the memory back. After an error, which is `status`, a file is not touched.
 * Returns the first error. */
enum refrain_status output_end(struct output *o, enum refrain_status status);
/* The same, after no error. */
enum refrain_status output_close(struct output *o);

#endif
