/* SPDX-License-Identifier: BSD-3-Clause */
/* The meaning of a run's symbols, from the records in the LANE_DEFINITIONS lanes:
 *
 *     @comm(newcomm, function, parent, sequence, leader, size, rank, remote_leader, remote_size)
 *     @datatype(newtype, size, lb, extent)
 *     @lane(lane, thread)
 *     @order(lane, from, before, calls)
 *
 * Symbols are local to a rank. Communicators are numbered for the whole run, as docs/TEXT.md says: by their
 * lowest world rank, then in the order of creation on that rank. The key of a communicator is what all its
 * members know: creating function, parent, sequence, and the leaders and sizes of its groups. */
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
    uint32_t rank; /* owner; the size of the first rank with this handle is valid for all ranks without their
                 own */
    int64_t handle, size;
};

/* The calls of `thread` from number `from` on come after the first `calls` calls of thread `before`. */
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
    struct map by_own;                    /* hash of (rank, handle slot) → the rank's own size */
    struct map threads;                   /* (rank, lane as handles name it) → number of the thread */
    ARRAY(struct precedence) precedences; /* by rank, thread and `from` */
};

enum refrain_status definitions_read(struct definitions *d, const struct reader *r);
void definitions_free(struct definitions *d);

/* Returns the communicator `symbol` of a rank; NULL if no record defines it. */
const struct member *definitions_member(const struct definitions *d, uint32_t rank, int64_t symbol);
/* Returns the hash of a function's name, as in communicator.function. */
int64_t definitions_name_hash(const char *name);
/* Returns the bytes of one element of a datatype, given its handle slot; -1 if no record says. */
int64_t definitions_type_size(const struct definitions *d, uint32_t rank, int64_t handle);

/* Returns the number of the thread that handles of this rank name by `lane`; -1 if no record says. */
int64_t definitions_thread(const struct definitions *d, uint32_t rank, int64_t lane);

/* Returns the *n precedences of a thread, ascending. */
const struct precedence *definitions_precedences(const struct definitions *d, uint32_t rank, uint32_t thread,
                                                 size_t *n);

#endif
