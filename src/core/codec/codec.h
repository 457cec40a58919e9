/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace as bytes: the sections of docs/FORMAT.md. The same bytes go up the merge tree, lie in parts, and
 * are the final file. */
#ifndef REFRAIN_CODEC_H
#define REFRAIN_CODEC_H

#include "src/core/trace/trace.h"

#define CODEC_FINAL                                                                                          \
    1u /* share rules across shapes, rows and their times across groups; after merge_finish only */
#define CODEC_STORED 2u /* as it is, without a compressor: for when as little as possible may be called */
#define CODEC_APART  4u /* without the annex, which stays where it is */

struct codec_section {
    char tag[5];
    uint64_t raw, stored; /* bytes before and after compression */
};

/* Append the whole file image to out, except for the annex: unless it is CODEC_APART, that has to follow. */
enum refrain_status codec_encode(const struct trace *t, unsigned flags, struct bytes *out);
/* The same in two steps: between them the trace may be freed, so that the compressor finds its memory.
 * sections has room for SECTIONS (section.h), the second step frees them. */
enum refrain_status codec_make_sections(const struct trace *t, unsigned flags, struct bytes *sections);
enum refrain_status codec_pack_sections(struct bytes *sections, unsigned flags, struct bytes *out);
/* Read a file image; everything is checked. `name` is for messages. Sections' sizes go to sections (may be
 * NULL), an ARRAY that the caller frees. */
struct codec_sections {
    struct codec_section *items;
    size_t n, cap;
};
enum refrain_status codec_decode(const char *name, const void *data, size_t n, struct trace *out,
                                 struct codec_sections *sections);
/* How much memory, in bytes, a trace may take up that is read from a file image of n bytes. */
uint64_t codec_budget(size_t n);

#endif
