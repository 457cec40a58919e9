/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of messages in one of many datatypes. All have the same basic type in a message; how its elements lie is each side's own
 * choice. The first element is at the beginning of the buffer and is the number of the call that sent it, if it has as many bytes. */
#ifndef TESTS_RANDOM_LAYOUT_H
#define TESTS_RANDOM_LAYOUT_H

#include "place.h"

enum basic { BASIC_INT, BASIC_BYTE, BASIC_DOUBLE, N_BASICS };

struct layout {
    MPI_Datatype type;
    int count;   /* of the type */
    int element; /* bytes of a basic element */
    bool made;   /* it is to be freed */
    void *space; /* calloc */
};

/* Room for `n` elements, at least, or exactly as many (`exact`, as a send needs). */
struct layout layout_make(struct place *p, enum basic basic, int n, bool exact);
/* The datatype. The memory stays if somebody may still read it. */
void layout_free(struct place *p, struct layout *l, bool memory);

int basic_bytes(enum basic basic);
MPI_Datatype basic_type(enum basic basic);

/* Which call sends it, if it has bytes enough; and what they say. */
void layout_sign(struct layout *l, long long bytes, long call);
long layout_signature(const struct layout *l);

#endif
