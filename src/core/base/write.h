/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing to a file, in any process and at any moment. */
#ifndef REFRAIN_WRITE_H
#define REFRAIN_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/* All of it, or false with errno. A file that may not grow any more (RLIMIT_FSIZE) is an error as well: the
 * signal that comes with it, SIGXFSZ, would end the program. In signal handlers, too. */
bool write_all(int fd, const void *data, size_t n);

#endif
