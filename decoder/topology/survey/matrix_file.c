/* SPDX-License-Identifier: BSD-3-Clause */
#include "traffic.h"

#include "decoder/util/line_file.h"
#include "src/core/base/log.h"

#include <ctype.h>
#include <stdlib.h>

/* More than any machine has processes; a larger number is not a rank. */
#define RANKS_MOST 16777216

/* Reads the numbers of a line, at most five. Returns false if the line contains anything else. */
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

static enum refrain_status take_line(void *context, char *line, const char *path, size_t number)
{
    struct matrix *m = context;
    uint64_t values[5];
    unsigned n;
    if (number == 1 && isalpha((unsigned char)*line))
        return REFRAIN_OK; /* column names */
    if (!read_numbers(line, values, &n) || n < 2 || n > 4) {
        log_error("%s:%zu: wanted a line from,to,messages,bytes or from,to,bytes or from,to", path, number);
        return REFRAIN_ERR_FORMAT;
    }
    if (values[0] >= RANKS_MOST || values[1] >= RANKS_MOST) {
        log_error("%s:%zu: the rank is not less than %llu", path, number, (unsigned long long)RANKS_MOST);
        return REFRAIN_ERR_FORMAT;
    }
    const uint32_t from = (uint32_t)values[0], to = (uint32_t)values[1], last = from > to ? from : to;
    m->n_ranks = last >= m->n_ranks ? last + 1 : m->n_ranks;
    return matrix_add(m, from, to, n == 4 ? values[2] : 1, n == 4 ? values[3] : n == 3 ? values[2] : 0);
}

enum refrain_status matrix_read(struct matrix *m, const char *path)
{
    *m = (struct matrix){0};
    const enum refrain_status status = line_file_read(path, take_line, m);
    if (status == REFRAIN_OK)
        matrix_finish(m);
    else
        matrix_free(m);
    return status;
}
