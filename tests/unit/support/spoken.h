/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of a few ranks and threads whose calls are said one by one, for matching.h:
 *
 *     SAY(&s, 0, 0, SPOKEN_SEND, 8, TYPE, 1, 5, WORLD, 0);     rank 0, thread 0: dest 1, tag 5, MPI_SUCCESS
 *
 * Slots are those of functable.h, in the order of the parameters: before, result, after. */
#ifndef REFRAIN_TEST_SPOKEN_H
#define REFRAIN_TEST_SPOKEN_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/reader.h"

enum spoken_function {
    SPOKEN_SEND,             /* count datatype dest tag comm | result */
    SPOKEN_ISEND,            /* … | result | request */
    SPOKEN_SEND_INIT,        /* the same */
    SPOKEN_RECV,             /* source tag comm | result | status */
    SPOKEN_IRECV,            /* source tag comm | result | request */
    SPOKEN_RECV_INIT,        /* the same */
    SPOKEN_START,            /* request | result | request */
    SPOKEN_STARTALL,         /* requests | result | requests */
    SPOKEN_WAIT,             /* request | result | request status */
    SPOKEN_WAITALL,          /* requests | result | requests statuses */
    SPOKEN_TESTSOME,         /* requests | result | requests indices statuses */
    SPOKEN_GET_STATUS,       /* request | result | flag status */
    SPOKEN_CANCEL,           /* request | result */
    SPOKEN_REQUEST_FREE,     /* request | result | request */
    SPOKEN_MPROBE,           /* source tag comm | result | message status */
    SPOKEN_MRECV,            /* message | result | message status */
    SPOKEN_BARRIER,          /* comm | result */
    SPOKEN_BCAST,            /* count datatype root comm | result */
    SPOKEN_BCAST_C,          /* the same */
    SPOKEN_IBARRIER,         /* comm | result | request */
    SPOKEN_WIN_CREATE,       /* comm | result | win */
    SPOKEN_WIN_FENCE,        /* assert win | result */
    SPOKEN_WIN_LOCK,         /* rank win | result */
    SPOKEN_WIN_UNLOCK,       /* the same */
    SPOKEN_WIN_FREE,         /* win | result | win */
    SPOKEN_PUT,              /* count datatype target_rank win | result */
    SPOKEN_WIN_POST,         /* group win | result */
    SPOKEN_WIN_TEST,         /* win | result | flag */
    SPOKEN_COMM_GROUP,       /* comm | result | group */
    SPOKEN_GROUP_INCL,       /* group ranks | result | group */
    SPOKEN_GROUP_DIFFERENCE, /* group group | result | group */
    SPOKEN_GREQUEST_START,   /* | result | request */
    SPOKEN_GET,              /* as SPOKEN_PUT */
    SPOKEN_GET_ACCUMULATE,   /* count datatype count datatype target_rank op win | result */
    SPOKEN_FETCH_AND_OP,     /* datatype target_rank op win | result */
    SPOKEN_WIN_FLUSH,        /* rank win | result */
    SPOKEN_WIN_FLUSH_LOCAL,  /* the same */
    SPOKEN_RPUT,             /* as SPOKEN_PUT | request */
    SPOKEN_ALLREDUCE,        /* count datatype op comm | result */
    SPOKEN_PCONTROL,         /* level | result */
    SPOKEN_REGION_BEGIN,     /* name */
    SPOKEN_REGION_END,       /* name */
    SPOKEN_TOPOLOGY_CART,    /* ndims dims periodic names */
    SPOKEN_TOPOLOGY_COORDS,  /* coords */
    SPOKEN_NOTE,             /* key value */
    SPOKEN_INIT_THREAD,      /* required | result */
    SPOKEN_FUNCTIONS
};

/* Values: of the datatype of 8 bytes, communicators, null handles, and those that the table names. */
enum {
    TYPE = 1,
    WORLD = 1,
    SELF = 3,
    NO_OP = 1,
    SUM = 3,
    NONE = 1,
    NULL_RANK = -2,
    ANY_RANK = -1,
    ANY_TAG = -1,
    NO_SUCCEED = 16,
    OTHER_ERROR = 17
};
#define REQUEST(number) (2 * (int64_t)(number))
#define MESSAGE(number) (2 * (int64_t)(number))
#define GROUP(number)   (2 * (int64_t)(number))
#define WINDOW(number)  (2 * (int64_t)(number))
#define FOREIGN(n, lane)                                                                                     \
    (2 * (int64_t)(n) + ((int64_t)(lane) + 1) * ((int64_t)1 << 33)) /* of thread `lane` */
/* Statuses: of a receive, of a send, of what was cancelled. */
#define STATUS(source, tag, bytes) 0, source, tag, 0, bytes, 0
#define SENT                       STATUS_PARTIAL, 0, 0, 0, 0, 0
/* A string of up to eight characters, and none at all. */
#define LETTERS(n, text) (n), (text)
#define NO_STRING        -1
#define CANCELLED        STATUS_PARTIAL, 0, 0, 0, 0, 1

enum { SPOKEN_RANKS = 8, SPOKEN_THREADS = 3, SPOKEN_ORDERS = 16 };

struct spoken_lane; /* one thread's calls so far */

struct spoken_order {
    uint32_t rank;
    int64_t slots[4]; /* of @order */
};

struct spoken {
    uint32_t n_ranks;
    struct spoken_order orders[SPOKEN_ORDERS];
    size_t n_orders;
    struct trace traces[SPOKEN_RANKS];
    struct spoken_lane *lanes[SPOKEN_RANKS][SPOKEN_THREADS];
    uint64_t gap, duration; /* of what is said from now on, nanoseconds */
    struct reader reader;   /* once all is said */
    struct definitions definitions;
};

void spoken_start(struct spoken *s, uint32_t n_ranks);
void spoken_say(struct spoken *s, uint32_t rank, uint32_t thread, enum spoken_function function, uint32_t n,
                const int64_t *slots);
#define SAY(s, rank, thread, function, ...)                                                                  \
    spoken_say(s, rank, thread, function, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t),                \
               (const int64_t[]){__VA_ARGS__})
/* What a thread says from now on comes behind all that another one has said so far. */
void spoken_order(struct spoken *s, uint32_t rank, uint32_t thread, uint32_t before);
uint64_t spoken_calls(const struct spoken *s, uint32_t rank, uint32_t thread); /* so far */
/* Writes and reads the trace. */
void spoken_end(struct spoken *s);
void spoken_free(struct spoken *s);

#endif
