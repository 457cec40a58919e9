/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes to a file, in any process and at any moment. */
#ifndef REFRAIN_WRITE_H
#define REFRAIN_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/* Write all n bytes; on an error return false with errno. If the file may not grow (RLIMIT_FSIZE), that is
 * also just an error: the signal SIGXFSZ, which would end the program, is suppressed. May be called in
 * signal handlers. */
bool write_all(int fd, const void *data, size_t n);

#endif
