/* SPDX-License-Identifier: BSD-3-Clause */
#include "traffic.h"

#include "src/core/base/file_content.h"
#include "src/core/base/log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* More nodes than any machine has processes: a line with a larger number has something else in it. */
#define RANKS_MOST 16777216

/* The numbers of a line, at most five of them; false if it has something else. */
static bool read_numbers(const char *at, uint64_t *numbers, unsigned *n)
{
    for (*n = 0; *n < 5; (*n)++) {
        char *end;
        while (isspace((unsigned char)*at) || (*at == ',' && *n > 0))
            at++;
        if (!*at)
            return true;
        if (!isdigit((unsigned char)*at))
            return false;
        numbers[*n] = strtoull(at, &end, 10);
        at = end;
    }
    return true;
}

static enum refrain_status read_line(struct matrix *m, const char *line, const char *path, size_t number)
{
    uint64_t values[5];
    unsigned n;
    if (!read_numbers(line, values, &n) || n == 1 || n > 4) {
        if (number == 1 && isalpha((unsigned char)*line))
            return REFRAIN_OK; /* names of columns */
        log_error(
            "%s:%zu: a line is from,to,messages,bytes, or from and to with bytes or nothing behind them",
            path, number);
        return REFRAIN_ERR_FORMAT;
    }
    if (n == 0)
        return REFRAIN_OK;
    if (values[0] >= RANKS_MOST || values[1] >= RANKS_MOST) {
        log_error("%s:%zu: a rank of %llu or more", path, number, (unsigned long long)RANKS_MOST);
        return REFRAIN_ERR_FORMAT;
    }
    const uint32_t from = (uint32_t)values[0], to = (uint32_t)values[1], last = from > to ? from : to;
    m->n_ranks = last >= m->n_ranks ? last + 1 : m->n_ranks;
    return matrix_add(m, from, to, n == 4 ? values[2] : 1, n == 4 ? values[3] : n == 3 ? values[2] : 0);
}

static enum refrain_status read_lines(struct matrix *m, char *text, const char *path)
{
    enum refrain_status status = REFRAIN_OK;
    size_t number = 0;
    for (char *line = text, *next; line && status == REFRAIN_OK; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        line[strcspn(line, "#")] = '\0';
        status = read_line(m, line, path, ++number);
    }
    return status;
}

enum refrain_status matrix_read(struct matrix *m, const char *path)
{
    struct file_content file;
    enum refrain_status status = file_content_open(&file, path, "");
    if (status != REFRAIN_OK)
        return status;
    char *text = strndup(file.data ? (const char *)file.data : "", file.n);
    *m = (struct matrix){0};
    if (!text) {
        log_error("out of memory: %s", path);
        status = REFRAIN_ERR_MEMORY;
    } else if (strlen(text) < file.n) {
        log_error("%s: this is no text; a matrix is lines with from,to,messages,bytes", path);
        status = REFRAIN_ERR_FORMAT;
    } else {
        status = read_lines(m, text, path);
    }
    if (status == REFRAIN_OK)
        matrix_finish(m);
    else
        matrix_free(m);
    free(text);
    file_content_close(&file);
    return status;
}
