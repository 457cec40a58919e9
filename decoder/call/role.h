/* SPDX-License-Identifier: BSD-3-Clause */
/* What functions do: to messages, collective operations, windows, files and requests, and what that is called.
 * It is written down in functions.def, row by row; a function table's functions are looked up there once.
 *
 * A row has the names of blocking forms. What follows from it for the variants (enum role_variant) is the same,
 * but for
 *
 *     kind        a message that does not block is CALL_NONBLOCKING
 *     meeting     nobody waits for others but in a blocking call
 *     received    where a status tells, of a non-blocking form what is asked for, if the row has a datatype;
 *                 otherwise the call that completes it tells
 *
 * A large-count procedure (_c) has the role of the other form. */
#ifndef REFRAIN_ROLE_H
#define REFRAIN_ROLE_H

#include "call_kind.h"
#include "field.h"

/* What calls of a function do; a set, since MPI_Sendrecv does two things. */
enum role_action {
    ROLE_SEND = 1 << 0,
    ROLE_RECEIVE = 1 << 1,
    ROLE_PROBE = 1 << 2,         /* finds a message, to be received by its handle */
    ROLE_RECEIVE_FOUND = 1 << 3, /* receives it */
    ROLE_START = 1 << 4,         /* persistent requests */
    ROLE_COMPLETE = 1 << 5,      /* requests, according to `choice` */
    ROLE_PEEK = 1 << 6,          /* with ROLE_COMPLETE: the requests stay */
    ROLE_FREE = 1 << 7,          /* a request */
    ROLE_COLLECTIVE = 1 << 8,    /* of all members of what `scope` says */
    ROLE_MAKES = 1 << 9,         /* with ROLE_COLLECTIVE: a window or file */
    ROLE_ENDS = 1 << 10,         /* with ROLE_COLLECTIVE: its window or file is gone then */
    ROLE_RMA = 1 << 11,          /* access to a window */
    ROLE_OPEN = 1 << 12,         /* an epoch begins */
    ROLE_CLOSE = 1 << 13,        /* an epoch ends */
    ROLE_FLUSH = 1 << 14,
    ROLE_FILE = 1 << 15,        /* reads, writes, or moves a file pointer, as `transfer` says */
    ROLE_PARTITIONED = 1 << 16, /* with ROLE_SEND or ROLE_RECEIVE */
    ROLE_GENERALIZED = 1 << 17, /* a request of no message: the program's, a flush's */
    ROLE_TEST = 1 << 18,        /* with ROLE_COMPLETE, ROLE_CLOSE or ROLE_PARTITION: it does not wait */
    ROLE_GROUP = 1 << 19,       /* makes an MPI_Group, of the processes that `group` says */
    ROLE_CANCEL = 1 << 20,      /* maybe takes a message back */
    ROLE_PUT = 1 << 21,         /* with ROLE_RMA: data go to the target, */
    ROLE_GET = 1 << 22,         /* data come from it, */
    ROLE_ATOMIC = 1 << 23,      /* and are combined with what is there, */
    ROLE_SWAP = 1 << 24,        /* if that is equal to something */
    ROLE_LOCAL = 1 << 25,       /* with ROLE_FLUSH: nothing is complete at the targets */
    ROLE_GRID = 1 << 26,        /* with ROLE_COLLECTIVE: makes a Cartesian communicator */
    ROLE_NEIGHBOURS = 1 << 27,  /* with ROLE_COLLECTIVE: data go to neighbours alone */
    ROLE_INIT = 1 << 28,        /* the process joins the world, … */
    ROLE_FINALIZE = 1 << 29,    /* … and leaves it */
    ROLE_PARTITION = 1 << 30    /* a partition of a message is ready, or, with ROLE_TEST, has arrived */
};

/* Which requests does a call complete? */
enum role_choice {
    ROLE_ALL, /* all of them, unless there is a flag that says no; one request is an array of one */
    ROLE_ANY, /* the request with the index that the call returns */
    ROLE_SOME /* the requests with the indices that the call returns */
};

/* Who takes part in a collective operation: all members of … */
enum role_scope {
    ROLE_COMM,     /* the communicator, */
    ROLE_NEW_COMM, /* the communicator that is made, */
    ROLE_WINDOW,
    ROLE_IN_FILE
};

enum role_epoch { ROLE_FENCE, ROLE_ACCESS, ROLE_EXPOSURE, ROLE_LOCK, ROLE_LOCK_ALL };

/* Which processes a group that a call makes has: the processes of a communicator, of its remote group, of the
 * communicator on which a window or file was made, of another group by ranks in it, of two groups, or of a
 * set of processes. */
enum role_group {
    GROUP_NONE, /* it makes no group */
    GROUP_OF_COMM,
    GROUP_OF_REMOTE,
    GROUP_OF_WINDOW,
    GROUP_OF_FILE,
    GROUP_WITH,
    GROUP_WITHOUT,
    GROUP_UNION,
    GROUP_INTERSECTION,
    GROUP_DIFFERENCE,
    GROUP_OF_SET
};

/* In which collective operations does who takes something leave after all who give something have entered?
 * Of MPI_Alltoallv, MPI_Alltoallw and MPI_Reduce_scatter it is not known here who gives whom. */
enum role_meeting {
    MEETING_NONE,
    MEETING_ALWAYS,    /* whatever they move */
    MEETING_OF_EQUALS, /* all of a group give and take, or none does */
    MEETING_OF_SOME
};

/* Sorts of functions, as OTF2 has them. */
enum role_region {
    REGION_FUNCTION, /* of no other sort */
    REGION_MESSAGE,
    REGION_BARRIER,
    REGION_ONE_TO_ALL,
    REGION_ALL_TO_ONE,
    REGION_ALL_TO_ALL,
    REGION_OTHER_COLLECTIVE,
    REGION_WINDOW,
    REGION_FILE_TRANSFER,
    REGION_FILE_METADATA,
    REGION_ALLOCATE,
    REGION_FREE,
    REGIONS
};

/* Collective operations that OTF2 has a number for. A neighbourhood operation has the number of the operation
 * without neighbourhood. */
enum role_collective {
    COLLECTIVE_NONE,
    COLLECTIVE_BARRIER,
    COLLECTIVE_BCAST,
    COLLECTIVE_SCATTER,
    COLLECTIVE_SCATTERV,
    COLLECTIVE_GATHER,
    COLLECTIVE_GATHERV,
    COLLECTIVE_REDUCE,
    COLLECTIVE_ALLGATHER,
    COLLECTIVE_ALLGATHERV,
    COLLECTIVE_ALLTOALL,
    COLLECTIVE_ALLTOALLV,
    COLLECTIVE_ALLTOALLW,
    COLLECTIVE_ALLREDUCE,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_REDUCE_SCATTER_BLOCK,
    COLLECTIVE_SCAN,
    COLLECTIVE_EXSCAN,
    COLLECTIVE_CREATE_HANDLE,
    COLLECTIVE_DESTROY_HANDLE,
    COLLECTIVE_CREATE_AND_ALLOCATE,
    COLLECTIVES
};

/* What the program says of itself (refrain.h): a region begins, ends, or is that of a level; anything else. */
enum role_word { WORD_NONE, WORD_REGION_BEGIN, WORD_REGION_END, WORD_REGION_LEVEL, WORD_OTHER };

/* What is done with a file. */
enum role_transfer {
    TRANSFER_NONE,
    TRANSFER_READ,
    TRANSFER_WRITE,
    TRANSFER_FLUSH,
    TRANSFER_SEEK,
    TRANSFER_DELETE
};

/* A volume is what a parameter, a datatype, says times the count before it, for as many members as that holds for. */
struct role_volume {
    const char *datatype; /* the parameter's name; NULL: there is none */
    enum volume_where {
        VOLUME_EVERYWHERE,
        VOLUME_AT_ROOT,
        VOLUME_ELSEWHERE, /* than at the root */
        VOLUME_OF_OWN,    /* of an array of counts, the one at the own rank */
        VOLUME_IN_STATUS  /* as much as the statuses say, instead */
    } where;
    enum volume_share {
        VOLUME_WHOLE,       /* the count holds for all together, or an array has one for each */
        VOLUME_OF_PEERS,    /* it holds for each member, of the remote group if there is one, */
        VOLUME_OF_OWN_GROUP /* … of the own group */
    } share;
    bool counted; /* there is a count; set for each function */
};

enum role_variant {
    VARIANT_BLOCKING, /* as the row has it */
    VARIANT_NONBLOCKING,
    VARIANT_PERSISTENT, /* what its request does, from MPI_Start on; the call itself does nothing but make it */
    VARIANT_BEGIN,      /* halves of a split operation */
    VARIANT_END
};

struct role {
    /* What functions.def says: */
    uint32_t actions; /* enum role_action */
    enum role_choice choice;
    enum role_scope scope;
    enum role_epoch epoch;
    enum role_group group;
    enum role_meeting meeting;
    enum role_word word;
    enum role_transfer transfer;
    enum call_kind kind;
    enum role_region region;
    enum role_collective collective;
    struct role_volume sent, received;
    /* What the name and the parameters say: */
    enum role_variant variant;
    uint32_t family;         /* the first function of the table with this role and name, but for _c */
    const field_set *fields; /* by parameter */
};

/* Does it begin or end regions? */
static inline bool role_has_region(const struct role *r)
{
    return r->word != WORD_NONE && r->word != WORD_OTHER;
}

/* Does it nothing but that? */
static inline bool role_is_region(const struct role *r)
{
    return r->word == WORD_REGION_BEGIN || r->word == WORD_REGION_END;
}

/* The roles of the functions of a function table. */
struct roles {
    struct role *items; /* by function */
    size_t n;
    field_set *fields; /* of all parameters of all functions */
};

/* The table has to stay. */
enum refrain_status roles_find(struct roles *roles, const struct functable *t);
void roles_free(struct roles *roles); /* also of a zeroed struct */

/* Does a call of the function, or its persistent request, move something? */
static inline bool role_has_volume(const struct role *role)
{
    return role->sent.datatype || role->received.datatype || role->received.where == VOLUME_IN_STATUS;
}

/* Does the call itself? To make a persistent request moves nothing. */
static inline bool role_moves(const struct role *role)
{
    return role->variant != VARIANT_PERSISTENT && role_has_volume(role);
}

#endif
