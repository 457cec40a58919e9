/* SPDX-License-Identifier: BSD-3-Clause */
/* An OTF2 archive that is being written: a directory with the anchor file traces.otf2 and the files that
 * belong to it.
 *
 *     DIR.4fZ0aq/  traces.otf2            written here …
 *                  traces.def             global definitions
 *                  traces/0.evt 0.def     events of location 0; its own definitions
 *     DIR/                                … and renamed when it is complete
 *
 * Existing files are never changed: DIR must be new, or an empty directory.
 *
 * Event writers of different locations may be used by different threads at once. Each has one chunk of
 * memory, which goes to its file when it is full, so that memory does not grow with the number of events. */
#ifndef REFRAIN_OTF2_ARCHIVE_H
#define REFRAIN_OTF2_ARCHIVE_H

#include "src/core/base/status.h"

#include <errno.h>

#include <otf2/otf2.h>

struct otf2_archive {
    OTF2_Archive *archive;
    char *path, *draft; /* final path, and path while it is written */
};

enum refrain_status otf2_archive_open(struct otf2_archive *a, const char *path);
/* Completes the archive and moves it to its final path. If `status` is not REFRAIN_OK, removes it. After a
 * failed write, libotf2 3.0 crashes if any of its functions is called, even to close the archive; so its
 * memory is then not freed. Returns `status`, or the error that occurred here. */
enum refrain_status otf2_archive_close(struct otf2_archive *a, enum refrain_status status);

/* Returns an error of the library as a status. The first error is logged. */
enum refrain_status otf2_check(OTF2_ErrorCode code);
/* The same for a call that closes a file. libotf2 3.0 does not check whether its buffers could be written,
 * but errno shows an error. */
#define OTF2_CLOSE(call) (errno = 0, otf2_check_closed(call))
enum refrain_status otf2_check_closed(OTF2_ErrorCode code);
/* The same for a library call that returned no object. */
enum refrain_status otf2_missing(void);

#endif
