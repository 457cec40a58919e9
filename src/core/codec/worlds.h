/* SPDX-License-Identifier: BSD-3-Clause */
/* Several worlds in one file: the runs of programs that spawned each other. The file is that of the first
 * world; its section WRLD contains the files of the others:
 *
 *     META … RTIM   of world 0
 *     WRLD          uint n  { uint length  a whole file } × n      worlds 1 … n, without a WRLD of their own
 */
#ifndef REFRAIN_WORLDS_H
#define REFRAIN_WORLDS_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

struct worlds {
    ARRAY(struct bytes) images; /* owned */
};

/* Copy the images of worlds 1, 2, … from a file; most files have none. `name` is for messages. */
enum refrain_status worlds_split(const char *name, const void *data, size_t n, struct worlds *out);
/* Append to `out` the first world's file with the other worlds; worlds that it already has are left
 * out. */
enum refrain_status worlds_join(const char *name, const void *data, size_t n, const struct worlds *others,
                                struct bytes *out);
void worlds_free(struct worlds *w);

#endif
