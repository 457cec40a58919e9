/* SPDX-License-Identifier: BSD-3-Clause */
/* What the symbols of a run mean, from the records in the LANE_DEFINITIONS lanes:
 *
 *     @comm(newcomm, function, parent, sequence, leader, size, rank, remote_leader, remote_size)
 *     @datatype(newtype, size, lb, extent)
 *     @lane(lane, thread)
 *     @order(lane, from, before, calls)
 *
 * Symbols are a rank's own. Communicators get one number in the whole run, as docs/TEXT.md says: in the order
 * of the lowest world rank that is a member, and there of their creation. What all members of a communicator
 * know of it is its key: creating function, parent, sequence, and the leaders and sizes of its groups. */
#ifndef REFRAIN_DEFINITIONS_H
#define REFRAIN_DEFINITIONS_H

#include "reader.h"
#include "src/core/base/map.h"

/* A communicator as one member knows it. */
struct member {
    uint32_t rank, symbol; /* world rank; number of the handle there */
    uint32_t number;       /* in the whole run */
    int64_t rank_in_comm;
    bool second; /* of an intercommunicator: in the group that the communicator calls remote */
};

struct communicator {
    int64_t function; /* a hash of the creating function's name */
    int64_t parent; /* a handle slot: constants as they are, others with the number in the whole run; or -1 */
    int64_t sequence;
    int64_t leader, size, remote_leader, remote_size; /* remote_size: -1 when it is no intercommunicator */
};

struct datatype_size {
    uint32_t
        rank; /* whose; of the first rank that has the handle, it holds for all others without their own */
    int64_t handle, size;
};

/* From number `from` on, calls of a thread come behind the first `calls` of another one. */
struct precedence {
    uint32_t rank, thread, before;
    uint64_t from, calls;
};

struct definitions {
    ARRAY(struct communicator) communicators; /* by number */
    ARRAY(struct member) members;
    ARRAY(struct datatype_size) sizes;
    struct map by_key;                    /* hash of a communicator → number */
    struct map by_symbol;                 /* (rank, symbol) → member */
    struct map by_handle;                 /* handle slot → the size that holds unless a rank has its own */
    struct map by_own;                    /* hash of (rank, handle slot) → its own size */
    struct map threads;                   /* (rank, lane as handles name it) → number of the thread */
    ARRAY(struct precedence) precedences; /* by rank, thread and `from` */
};

enum refrain_status definitions_read(struct definitions *d, const struct reader *r);
void definitions_free(struct definitions *d);

/* The communicator `symbol` of a rank; NULL if no record tells of it. */
const struct member *definitions_member(const struct definitions *d, uint32_t rank, int64_t symbol);
/* The hash that communicator.function is, of a function's name. */
int64_t definitions_name_hash(const char *name);
/* Bytes of one element of a datatype, given its handle slot; -1 if no record tells. */
int64_t definitions_type_size(const struct definitions *d, uint32_t rank, int64_t handle);

/* The number of the thread whose lane handles of this rank name; -1 if no record tells. */
int64_t definitions_thread(const struct definitions *d, uint32_t rank, int64_t lane);

/* What a thread's calls come behind, *n of them, ascending. */
const struct precedence *definitions_precedences(const struct definitions *d, uint32_t rank, uint32_t thread,
                                                 size_t *n);

#endif
