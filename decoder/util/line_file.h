/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads small text files with one item per line. */
#ifndef REFRAIN_LINE_FILE_H
#define REFRAIN_LINE_FILE_H

#include "src/core/base/status.h"

#include <stddef.h>

/* Takes a line, without its end and what follows #; blanks around it are left out, and so are lines that are
 * empty then. `path` and `number`, from 1, are for messages. */
typedef enum refrain_status line_file_take(void *context, char *line, const char *path, size_t number);

/* Gives all lines to `take`, as long as it returns REFRAIN_OK. What is not a text is refused. */
enum refrain_status line_file_read(const char *path, line_file_take *take, void *context);

#endif
