/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sends how much to whom, counted by recount.c. */
#ifndef TESTS_CLI_RECOUNT_MATRIX_H
#define TESTS_CLI_RECOUNT_MATRIX_H

#include <limits.h>
#include <stddef.h>

enum { OUTSIDE = INT_MAX }; /* a rank of another world, which comes last */

struct pair {
    long from, to;
    long long messages, bytes;
};

struct matrix {
    struct pair *pairs;
    size_t n;
};

/* The pair, which has no messages if it is new. */
struct pair *matrix_pair(struct matrix *m, long from, long to);
/* One message more. */
void matrix_add(struct matrix *m, long from, long to, long long bytes);
/* As `refrain matrix --csv` does. */
void matrix_print(const struct matrix *m);
void matrix_free(struct matrix *m);

/* "3" or "outside" */
long matrix_rank(const char *text);

#endif
