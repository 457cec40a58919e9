/* SPDX-License-Identifier: BSD-3-Clause */
/* A part as a file: the calls of one rank of a run without a trace (docs/FORMAT.md, Parts). */
#ifndef REFRAIN_PART_FILE_H
#define REFRAIN_PART_FILE_H

#include <inttypes.h>

#include "src/core/base/file_content.h"
#include "src/core/trace/trace.h"

/* The file's name in the directory of parts, as a format for the rank. */
#define PART_FILE_NAME "rank.%" PRIu32 ".part"

struct part_file {
    char *path; /* owned */
    struct trace trace;
    const uint8_t *annex;        /* trace.annex.length bytes, in: */
    struct file_content content; /* owned */
};

/* Read a part and log what is wrong. The part of another rank is REFRAIN_ERR_FORMAT. */
enum refrain_status part_file_open(struct part_file *p, const char *path, uint32_t rank);
/* Check the annex; damage is logged. */
enum refrain_status part_file_check_annex(const struct part_file *p);
/* Close the part. The caller may have taken the trace and left an empty one. */
void part_file_close(struct part_file *p);

#endif
