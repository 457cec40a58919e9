/* SPDX-License-Identifier: BSD-3-Clause */
/* For programs that tell which records an OTF2 archive of them should have: each process prints at its end a
 * line for each sort of record, with how many it made.
 *
 *     TELL(MPI_REQUEST_TEST, 2);
 *     …
 *     tell_all();                  "MPI_REQUEST_TEST 2"
 *
 * The names are those of otf2-print. */
#ifndef TELL_H
#define TELL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TELL_MOST = 64 };
static struct tell {
    const char *record;
    long n;
} tell_counts[TELL_MOST];

static inline void tell_count(const char *record, long n)
{
    struct tell *t = tell_counts;
    while (t->record && strcmp(t->record, record) != 0)
        t++;
    if (t == tell_counts + TELL_MOST - 1)
        abort();
    t->record = record;
    t->n += n;
}

#define TELL(record, n) tell_count(#record, (n))

static inline void tell_all(void)
{
    for (struct tell *t = tell_counts; t->record; t++)
        printf("%s %ld\n", t->record, t->n);
    fflush(stdout);
}

#endif
