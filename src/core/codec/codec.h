/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace as bytes: the sections of docs/FORMAT.md. The same bytes go up the merge tree, are stored
 * in parts, and are the final file. */
#ifndef REFRAIN_CODEC_H
#define REFRAIN_CODEC_H

#include "src/core/trace/trace.h"

#define CODEC_FINAL                                                                                          \
    1u /* share rules across shapes, rows and their times across groups; after merge_finish only */
/* Do not compress: used where the tracer must call as few functions as possible. */
#define CODEC_STORED 2u
#define CODEC_APART  4u /* without the annex, which stays on its rank */

struct codec_section {
    char tag[5];
    uint64_t raw, stored; /* bytes before and after compression */
};

/* Append the file image to out, except for the annex, which must follow unless flags has
 * CODEC_APART. */
enum refrain_status codec_encode(const struct trace *t, unsigned flags, struct bytes *out);
/* The same in two steps. The trace may be freed between them, so that the compressor can use its
 * memory. `sections` has room for SECTIONS (section.h); the second step frees them. */
enum refrain_status codec_make_sections(const struct trace *t, unsigned flags, struct bytes *sections);
enum refrain_status codec_pack_sections(struct bytes *sections, unsigned flags, struct bytes *out);
/* Read a file image and check everything. `name` is for messages. The sections' sizes go to
 * `sections` (may be NULL), an ARRAY that the caller frees. */
struct codec_sections {
    struct codec_section *items;
    size_t n, cap;
};
enum refrain_status codec_decode(const char *name, const void *data, size_t n, struct trace *out,
                                 struct codec_sections *sections);
/* The most bytes of memory that a trace from a file image of n bytes may take. */
uint64_t codec_budget(size_t n);

#endif
