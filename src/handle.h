/* Handles as symbols: which handle values are live, and what number each has in the trace.
 *
 *     value 0x55d0  ──>  handle 3: req0   ──>  handle 7: req4      a chain, oldest first
 *     value 0x7f10  ──>  constant MPI_COMM_WORLD
 *
 * One value of a request may stand for several live ones (MPI libraries share a completed request); each has
 * its own symbol, and within one call the k-th occurrence of the value is the k-th of them. A value of any
 * other kind that is handed out while it is live is either the same object once more (its references are
 * counted) or, from a constructor, a new object in the place of one that was freed out of the tracer's sight.
 *
 * Everything here needs the tracer's lock. */
#ifndef REFRAIN_HANDLE_H
#define REFRAIN_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "map.h"
#include "status.h"

/* Kinds of handles that have symbols; the sets of constants of the same names are their predefined ones. */
#define HANDLE_EACH_KIND(X)                                                                                  \
    X(COMMUNICATOR)                                                                                          \
    X(DATATYPE)                                                                                              \
    X(ERRHANDLER)                                                                                            \
    X(FILE)                                                                                                  \
    X(GROUP)                                                                                                 \
    X(INFO)                                                                                                  \
    X(MESSAGE)                                                                                               \
    X(OPERATION)                                                                                             \
    X(REQUEST)                                                                                               \
    X(SESSION)                                                                                               \
    X(WINDOW)                                                                                                \
    X(CVAR)                                                                                                  \
    X(PVAR)                                                                                                  \
    X(PVAR_SESSION)                                                                                          \
    X(TOOLS_ENUM)                                                                                            \
    X(EVENT_REGISTRATION)                                                                                    \
    X(EVENT_INSTANCE)

enum handle_kind {
#define HANDLE_ENUM(kind) HANDLE_##kind,
    HANDLE_EACH_KIND(HANDLE_ENUM)
#undef HANDLE_ENUM
        HANDLE_KINDS
};

/* An MPI handle, a pointer or an int, as a number. */
#define HANDLE_VALUE(handle) ((uint64_t)(intptr_t)(handle))
uint64_t handle_load(const void *handle, size_t size); /* the same, of one in memory */

/* In a row: a constant's index << 1 | 1, a symbol's number << 1, or this for a value that nobody made. */
#define HANDLE_UNKNOWN ((int64_t)-1)

#define HANDLE_NONE MAP_NONE

/* What the status of a request's completion means (docs/TEXT.md). */
enum handle_status {
    HANDLE_STATUS_WHOLE, /* source, tag, bytes: receives, generalized requests, inactive and null requests */
    HANDLE_STATUS_ERROR, /* only the error: sends, collectives */
    HANDLE_STATUS_BYTES  /* nothing but the bytes: file input and output */
};

/* A live handle. Numbers of handles are reused; a pointer is valid until the next handle_add. */
struct handle {
    uint64_t value;
    uint32_t symbol;
    uint32_t references;     /* how often the application was given it */
    uint64_t made;           /* the how-manieth handle it is, from 1: tells it from others at its place */
    bool busy;               /* of requests: a call that may complete it has not returned yet */
    uint32_t next, previous; /* of the same value; HANDLE_NONE at the ends */
    /* of the first of a value: */
    uint32_t last;    /* end of the chain */
    uint64_t serial;  /* the call that looked the value up last (0: none) … */
    uint32_t visited; /* … and what it was given then */
    /* of requests: */
    enum handle_status status;
    bool persistent;
    bool active; /* started and not completed; always, if not persistent */
};

struct handle *handle_at(enum handle_kind kind, uint32_t handle);

/* The slot of a value, predefined, live or unknown; *handle is the first live one or HANDLE_NONE. */
int64_t handle_find(enum handle_kind kind, uint64_t value, uint32_t *handle);
/* The same for a request that a call passes: `serial` is the call's number, so that the k-th look-up of a
 * value finds its k-th request. Serials start from 1. Busy requests are those of other threads' calls: MPI
 * may have completed them and have given their value to a new one. */
int64_t handle_find_next(enum handle_kind kind, uint64_t value, uint64_t serial, uint32_t *handle);
bool handle_is_constant(enum handle_kind kind, uint64_t value);

/* A new live handle behind those of the same value, with a number from the pool of class_key. */
enum refrain_status handle_add(enum handle_kind kind, uint64_t value, uint64_t class_key, uint32_t *handle,
                               bool *is_new);
/* The application gave one reference back: with the last one the symbol is free. */
void handle_release(enum handle_kind kind, uint32_t handle);
/* Free all of a value, whatever their references. */
void handle_release_value(enum handle_kind kind, uint64_t value);

/* A predefined handle. First one wins, when several have the same value. */
enum refrain_status handle_add_constant(enum handle_kind kind, uint64_t value, int64_t index);

void handle_clear(void);

#endif
