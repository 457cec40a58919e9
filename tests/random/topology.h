/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sends to whom in a phase. */
#ifndef TESTS_RANDOM_TOPOLOGY_H
#define TESTS_RANDOM_TOPOLOGY_H

#include "place.h"

struct message {
    int from, to; /* in the communicator; one of them may be MPI_PROC_NULL */
    int tag, n;   /* elements */
};

enum { MOST_MESSAGES = 256 };
struct topology {
    struct message items[MOST_MESSAGES];
    int n;
};

/* By the plan: the same for all members. Some have a tag from LOG_UNIQUE on that no other one of the phase has, as all of less than 4
 * elements. */
void topology_plan(struct topology *t, struct place *p);

#endif
