/* SPDX-License-Identifier: BSD-3-Clause */
/* The container of docs/FORMAT.md: named sections, checked and compressed.
 *
 *     "RFRN" version flags | n | directory: n entries | checksum of all this | blocks
 *
 * A section is a byte string with a checksum. A block contains one large section, or several small ones in
 * sequence. The sections of a block share one frame of the compressor: separate frames would make a trace of
 * 3 KB a third larger. Section ANNX is the index of the annex, the data after the blocks (annex.h). */
#ifndef REFRAIN_SECTION_H
#define REFRAIN_SECTION_H

#include "bytes.h"
#include "status.h"

#define SECTION_MAGIC   "RFRN"
#define SECTION_VERSION 7 /* readers refuse others */

/* Sections in their order in a file. The numbers are part of the format: never reuse one. */
enum section_id {
    SECTION_META, /* the run: ranks, command … */
    SECTION_FUNC, /* function table */
    SECTION_SITE, /* modules and call sites */
    SECTION_RULE, /* skeletons */
    SECTION_STRM, /* row streams */
    SECTION_SERI, /* columns, rank sets, lists of rank functions */
    SECTION_SIGN, /* rows */
    SECTION_SHAP, /* shapes, entries, groups */
    SECTION_TIME, /* times of rows */
    SECTION_RTIM, /* times of ranks */
    SECTION_WRLD, /* the files of further worlds (worlds.h) */
    SECTION_ANNX, /* index of the annex (annex.h) */
    SECTION_CLCK, /* clocks of ranks (rank_clock.h) */
    SECTION_COLS, /* columns that are in the annex (annex_columns.h) */
    SECTIONS      /* how many */
};

/* Flags of the file. */
enum {
    SECTION_FINAL = 1, /* the merge is complete, times are folded */
    SECTION_APART = 2  /* the annex of the file is somewhere else */
};

extern const char section_names[SECTIONS][5];

/* Append a file of the sections raw[0 … SECTIONS - 1]; empty ones are left out. level: zstd's, 1 to 19; 0
 * stores the blocks as they are. The caller appends the annex, if there is one. */
enum refrain_status section_write(const struct bytes *raw, unsigned flags, int level, struct bytes *out);

struct section_file {
    unsigned flags;
    struct section_part {
        struct bytes_reader content; /* empty if the file does not have the section */
        uint64_t raw, stored;        /* bytes before and after compression; the stored bytes of a block are
                                        divided among its sections in proportion */
    } parts[SECTIONS];
    struct bytes *blocks; /* owned; the contents point into these */
    size_t n_blocks;
    struct bytes_reader annex; /* all data after the blocks; not checked */
};

/* Parse a file and check every length and checksum. `name` is used in messages. Sections that this version
 * does not know are skipped. `data` must outlive the result. */
enum refrain_status section_read(const char *name, const void *data, size_t n, struct section_file *out);
void section_file_free(struct section_file *f);

#endif
