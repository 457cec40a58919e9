/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a file completely or not at all. */
#ifndef REFRAIN_REPLACE_H
#define REFRAIN_REPLACE_H

#include <limits.h>
#include <stdbool.h>

#include "bytes.h"
#include "status.h"

/* Writes the image under another name in the same directory, then renames it to `path`. An existing file is
 * replaced, and the new file gets its mode. If `path` is a symbolic link, the target of the link is replaced.
 * A device or a pipe is written directly. Errors are logged; after an error no file has changed. Allocates
 * nothing. */
enum refrain_status replace_file(const char *path, const struct bytes *image);

/* The same in steps:
 *
 *     replace_begin ── replace_add … ── replace_end         between them, others may write into `temporary`
 */
struct replacement {
    char path[PATH_MAX];
    char temporary[PATH_MAX]; /* current name; "": a device or pipe is written directly */
    int fd;
};

enum refrain_status replace_begin(struct replacement *r, const char *path);
/* Append data to the file. */
enum refrain_status replace_add(struct replacement *r, const void *data, size_t n);
/* Rename the file to the path if `status` is REFRAIN_OK; otherwise remove it. Returns the first error. */
enum refrain_status replace_end(struct replacement *r, enum refrain_status status);

#endif
