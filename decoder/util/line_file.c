/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_file.h"

#include "src/core/base/log.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LINE_MOST 4096 /* limits memory for a file without line ends */

static enum refrain_status take_line(char *line, size_t n, const char *path, size_t number,
                                     line_file_take *take, void *context)
{
    if (memchr(line, '\0', n) || (n == LINE_MOST - 1 && line[n - 1] != '\n')) {
        log_error("%s:%zu: this is not text, or the line is longer than %d characters", path, number,
                  LINE_MOST - 2);
        return REFRAIN_ERR_FORMAT;
    }
    line[strcspn(line, "#")] = '\0';
    while (isspace((unsigned char)*line))
        line++;
    for (n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]);)
        line[--n] = '\0';
    return n > 0 ? take(context, line, path, number) : REFRAIN_OK;
}

/* Like fgets, but returns the number of characters, some of which may be NUL. */
static size_t read_line(FILE *file, char line[LINE_MOST])
{
    size_t n = 0;
    int c = 0;
    while (n < LINE_MOST - 1 && c != '\n' && (c = getc(file)) != EOF)
        line[n++] = (char)c;
    line[n] = '\0';
    return n;
}

enum refrain_status line_file_read(const char *path, line_file_take *take, void *context)
{
    FILE *file = fopen(path, "r");
    char line[LINE_MOST];
    size_t number = 0, n;
    enum refrain_status status = REFRAIN_OK;
    if (!file) {
        log_error("%s: %s", path, strerror(errno));
        return REFRAIN_ERR_IO;
    }
    while (status == REFRAIN_OK && (n = read_line(file, line)) > 0)
        status = take_line(line, n, path, ++number, take, context);
    if (status == REFRAIN_OK && ferror(file)) {
        log_error("%s: cannot be read: %s", path, strerror(errno));
        status = REFRAIN_ERR_IO;
    }
    fclose(file);
    return status;
}
