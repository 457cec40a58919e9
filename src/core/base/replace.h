/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a file as a whole or not at all. */
#ifndef REFRAIN_REPLACE_H
#define REFRAIN_REPLACE_H

#include <limits.h>
#include <stdbool.h>

#include "bytes.h"
#include "status.h"

/* Writes the image under another name in the same directory, then renames it to `path`, whatever was there
 * before, with its mode, or behind a link of that name; a device or a pipe of that name is written into.
 * After an error, which is logged, no file has changed. Allocates nothing. */
enum refrain_status replace_file(const char *path, const struct bytes *image);

/* The same in steps:
 *
 *     replace_begin ── replace_add … ── replace_end         between them, others may write into `temporary`
 */
struct replacement {
    char path[PATH_MAX];
    char temporary[PATH_MAX]; /* the file for now; "": what is written goes into a device or a pipe at once */
    int fd;
};

enum refrain_status replace_begin(struct replacement *r, const char *path);
/* Behind what was added before. */
enum refrain_status replace_add(struct replacement *r, const void *data, size_t n);
/* The file takes the path's place if `status` is REFRAIN_OK; otherwise it goes. Returns the first error. */
enum refrain_status replace_end(struct replacement *r, enum refrain_status status);

#endif
