/* SPDX-License-Identifier: BSD-3-Clause */
/* The logs of a random program, for truth.c. */
#ifndef TESTS_RANDOM_TRUTH_H
#define TESTS_RANDOM_TRUTH_H

#include <stddef.h>

enum { TRUTH_NAME = 64, TRUTH_ID = 24 };

struct truth_record { /* log.h says what its fields are */
    long rank, thread;
    char kind[8];
    long call, done, peer, tag;
    char group[TRUTH_ID];
    long long bytes, from;
    char function[TRUTH_NAME];
    char name[TRUTH_NAME]; /* of the group, in the trace */
    char comm[TRUTH_NAME]; /* its communicator: of a window another one */
    char made[TRUTH_NAME]; /* of what is started: the function that made it */
};

struct truth {
    struct truth_record *records; /* rank by rank, thread by thread, in the order of the log */
    size_t n;
};

void truth_print_messages(const struct truth *t);
void truth_print_events(const struct truth *t);

#endif
