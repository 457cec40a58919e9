/* SPDX-License-Identifier: BSD-3-Clause */
/* What a function has to do with messages, collective operations, windows, files and requests: a table of
 * name patterns (role.c), and the parameters by which a call of it tells what it is about.
 *
 * A large-count procedure (_c) has the role of the other form. A procedure with `_init` at its end and a
 * request that it makes is persistent: it has the role of the name in front of that, from MPI_Start on. One
 * that makes a request is completed by another call. Neither needs lines of its own. */
#ifndef REFRAIN_ROLE_H
#define REFRAIN_ROLE_H

#include "volume.h"

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
    ROLE_FILE = 1 << 15,        /* reads, writes, or moves a file pointer */
    ROLE_PARTITIONED = 1 << 16, /* with ROLE_SEND or ROLE_RECEIVE */
    ROLE_GENERALIZED = 1 << 17, /* makes a request that the program completes itself */
    ROLE_TEST = 1 << 18,        /* with ROLE_COMPLETE or ROLE_CLOSE: it does not wait */
    ROLE_GROUP = 1 << 19,       /* makes an MPI_Group */
    ROLE_CANCEL = 1 << 20,      /* maybe takes a message back */
    ROLE_PUT = 1 << 21,         /* with ROLE_RMA: data go to the target, */
    ROLE_GET = 1 << 22          /* data come from it */
};

/* Which requests does a call complete? */
enum role_choice {
    ROLE_ALL, /* all of them, unless there is a flag that says no; one request is an array of one */
    ROLE_ANY, /* the one with the index, */
    ROLE_SOME /* those with the indices, */
};

/* Who takes part in a collective operation: all members of … */
enum role_scope {
    ROLE_COMM,     /* the communicator, */
    ROLE_NEW_COMM, /* the communicator that is made, */
    ROLE_WINDOW,
    ROLE_IN_FILE
};

enum role_epoch { ROLE_FENCE, ROLE_ACCESS, ROLE_EXPOSURE, ROLE_LOCK, ROLE_LOCK_ALL };

struct role {
    uint32_t actions;
    enum role_choice choice;
    enum role_scope scope;
    enum role_epoch epoch;
    bool persistent;
    uint32_t family; /* the first function of the table with this role and name, but for _c */
    struct volume_plan volume;
};

/* Parameters by which a call tells what it is about. */
enum role_field {
    FIELD_DEST,
    FIELD_SOURCE,
    FIELD_TAG, /* of a function that sends or receives; of one that does both: */
    FIELD_SEND_TAG,
    FIELD_RECEIVE_TAG,
    FIELD_COMM,
    FIELD_REQUESTS,
    FIELD_STATUSES,
    FIELD_FLAG,
    FIELD_INDICES,
    FIELD_MESSAGE,
    FIELD_WINDOW,
    FIELD_FILE,
    FIELD_TARGET,
    FIELD_ASSERT,
    FIELD_PARTITIONS,
    FIELD_ROOT,
    FIELD_GROUP,
    FIELDS
};

/* By function of the table, n of them; the caller's to free. */
enum refrain_status roles_find(const struct functable *t, struct role **out);
/* FIELDS: none. */
enum role_field role_field_of(const struct functable *t, const struct param *p);

#endif
