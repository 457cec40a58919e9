/* SPDX-License-Identifier: BSD-3-Clause */
#include "recount_matrix.h"

#include "text_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char outside[] = "outside";

struct pair *matrix_pair(struct matrix *m, long from, long to)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->pairs[i].from == from && m->pairs[i].to == to)
            return &m->pairs[i];
    m->pairs = grown(m->pairs, m->n, sizeof *m->pairs);
    m->pairs[m->n] = (struct pair){.from = from, .to = to};
    return &m->pairs[m->n++];
}

void matrix_add(struct matrix *m, long from, long to, long long bytes)
{
    struct pair *p = matrix_pair(m, from, to);
    p->messages++;
    p->bytes += bytes;
}

static int compare(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void print_rank(long rank)
{
    if (rank == OUTSIDE)
        printf("%s,", outside);
    else
        printf("%ld,", rank);
}

void matrix_print(const struct matrix *m)
{
    if (m->n > 0)
        qsort(m->pairs, m->n, sizeof *m->pairs, compare);
    printf("from,to,messages,bytes\n");
    for (size_t i = 0; i < m->n; i++) {
        print_rank(m->pairs[i].from);
        print_rank(m->pairs[i].to);
        printf("%lld,%lld\n", m->pairs[i].messages, m->pairs[i].bytes);
    }
}

void matrix_free(struct matrix *m)
{
    free(m->pairs);
}

long matrix_rank(const char *text)
{
    return strncmp(text, outside, strlen(outside)) == 0 ? OUTSIDE : atol(text);
}
