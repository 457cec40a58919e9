/* SPDX-License-Identifier: BSD-3-Clause */
/* A part as a file: what one rank has recorded, where it came to no trace of the run (docs/FORMAT.md, Parts).
 */
#ifndef REFRAIN_PART_FILE_H
#define REFRAIN_PART_FILE_H

#include <inttypes.h>

#include "src/core/base/file_content.h"
#include "src/core/trace/trace.h"

/* Its name in the directory of the parts, as a format for the rank. */
#define PART_FILE_NAME "rank.%" PRIu32 ".part"

struct part_file {
    char *path; /* owned */
    struct trace trace;
    const uint8_t *annex;        /* trace.annex.length bytes, in: */
    struct file_content content; /* owned */
};

/* Reads it, and logs what is wrong with it: that of another rank is REFRAIN_ERR_FORMAT. */
enum refrain_status part_file_open(struct part_file *p, const char *path, uint32_t rank);
/* Is the annex as it was written? What is damaged is logged. */
enum refrain_status part_file_check_annex(const struct part_file *p);
/* The caller may have taken the trace, and left an empty one. */
void part_file_close(struct part_file *p);

#endif
