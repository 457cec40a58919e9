/* Writing a file as a whole or not at all. */
#ifndef REFRAIN_REPLACE_H
#define REFRAIN_REPLACE_H

#include "bytes.h"
#include "status.h"

/* Writes the image under another name in the same directory, then renames it to `path`, whatever was there
 * before; a device or a pipe of that name is written into. After an error, which is logged, no file has
 * changed. Allocates nothing. */
enum refrain_status replace_file(const char *path, const struct bytes *image);

#endif
