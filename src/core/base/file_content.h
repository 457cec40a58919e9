/* SPDX-License-Identifier: BSD-3-Clause */
/* The content of a file: mapped, or read if it is small or cannot be mapped (for example a pipe). */
#ifndef REFRAIN_FILE_CONTENT_H
#define REFRAIN_FILE_CONTENT_H

#include "bytes.h"
#include "status.h"

struct file_content {
    struct bytes read; /* owned */
    void *map;         /* owned */
    const void *data;
    size_t n;
};

/* Open a file. A zero-initialised struct is empty and may be closed, also after an error. A file that
 * cannot be mapped may have no end (/dev/zero), so only the beginning is read if the file does not
 * begin with `magic` (at most 16 bytes). */
enum refrain_status file_content_open(struct file_content *c, const char *path, const char *magic);
void file_content_close(struct file_content *c);

#endif
