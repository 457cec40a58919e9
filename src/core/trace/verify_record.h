/* SPDX-License-Identifier: BSD-3-Clause */
/* The uncompressed record that REFRAIN_VERIFY keeps, one file a lane: DIR/rank.R.lane.N.raw
 *
 *     "RFRW" u32 version | record*     record   u64 site hash, uint n, int slot × n, timestamps
 *                                      timestamps   int enter less the leave before, uint leave less enter
 *
 * Definitions have no timestamps.
 * The site hash is of names and offsets only, so that it does not depend on any numbering. */
#ifndef REFRAIN_VERIFY_RECORD_H
#define REFRAIN_VERIFY_RECORD_H

#include "src/core/base/timestamp.h"
#include "trace.h"

#define VERIFY_RECORD_MAGIC   "RFRW"
#define VERIFY_RECORD_VERSION 2

/* XXH3-64 over the function's name and each frame's module name and offset. */
uint64_t verify_record_site_hash(const char *function, const struct frame *frames, uint32_t n_frames,
                                 char *const *modules);
void verify_record_put_header(struct bytes *b);
void verify_record_put(struct bytes *b, uint64_t site_hash, const int64_t *slots, uint32_t n);
/* After the record of a call. *left: the leave before, 0 at first; becomes this one. */
void verify_record_put_times(struct bytes *b, const struct timestamp *s, uint64_t *left);
struct timestamp verify_record_get_times(struct bytes_reader *r, uint64_t *left);

#endif
