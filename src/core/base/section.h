/* SPDX-License-Identifier: BSD-3-Clause */
/* The container of docs/FORMAT.md: named sections, checked and compressed.
 *
 *     "RFRN" version flags | n | directory: n entries | checksum of all this | blocks
 *
 * A section is a byte string with a checksum. A block holds one large section, or several small ones one
 * behind the other, so that they share one compressor's frame: on a trace of 3 KB frames of their own would
 * cost a third. Section ANNX is the index of what lies behind the blocks, the annex (annex.h). */
#ifndef REFRAIN_SECTION_H
#define REFRAIN_SECTION_H

#include "bytes.h"
#include "status.h"

#define SECTION_MAGIC   "RFRN"
#define SECTION_VERSION 5 /* the latest; files have the first one that knows all that they have */

/* In the order in which they stand in a file. Numbers are part of the format: never reuse one. */
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
    SECTION_FINAL = 1,   /* merging is over, times are folded */
    SECTION_APART = 2,   /* its annex is somewhere else */
    SECTION_DERIVED = 4, /* SERI has tables of added and permuted lists, SIGN codes that came with them */
    SECTION_SUMS = 8     /* slots of groups in SHAP are sums of others, slots in SIGN transposed */
};

extern const char section_names[SECTIONS][5];

/* Append a file of the sections raw[0 … SECTIONS - 1]; empty ones are left out. level: zstd's, 1 to 19; 0
 * stores the blocks as they are. The annex, if there is one, is to follow. */
enum refrain_status section_write(const struct bytes *raw, unsigned flags, int level, struct bytes *out);

struct section_file {
    unsigned flags;
    struct section_part {
        struct bytes_reader content; /* nothing if the file does not have the section */
        uint64_t raw, stored;        /* bytes before and after; a block's are shared out in proportion */
    } parts[SECTIONS];
    struct bytes *blocks; /* owned: what the contents point into */
    size_t n_blocks;
    struct bytes_reader annex; /* all that is behind the blocks; not checked */
};

/* Take a file apart and check it: every length and checksum. `name` is for messages. Sections that this
 * version does not know are passed over. `data` has to live as long as the result. */
enum refrain_status section_read(const char *name, const void *data, size_t n, struct section_file *out);
void section_file_free(struct section_file *f);

#endif
