/* SPDX-License-Identifier: BSD-3-Clause */
/* Several worlds in one file: the runs of programs that spawned each other. The file is that of the first,
 * with the files of the others in its section WRLD:
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

/* Copies of the images of worlds 1, 2, … in a file; none for most files. `name` is for messages. */
enum refrain_status worlds_split(const char *name, const void *data, size_t n, struct worlds *out);
/* Appends to `out` the file of the first world with the others put in; those that it had are left out. */
enum refrain_status worlds_join(const char *name, const void *data, size_t n, const struct worlds *others,
                                struct bytes *out);
void worlds_free(struct worlds *w);

#endif
