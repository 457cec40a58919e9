/* What the parts of a call's recording share; for call*.c only. */
#ifndef REFRAIN_CALL_IMPL_H
#define REFRAIN_CALL_IMPL_H

#include "arena.h"
#include "array.h"
#include "call.h"
#include "tracer.h"

/* A handle that the application lets the call change (or a request whose status the call tells). */
struct watched {
    const void *at;  /* where the application has it; NULL if the call does not change it */
    size_t size;     /* of the handle there */
    uint64_t value;  /* before the call */
    int64_t slot;    /* before the call; from call_leave on, after it */
    uint32_t handle; /* HANDLE_NONE if it was none of the program's making */
    uint64_t made;   /* of the handle */
    enum handle_kind kind;
    enum handle_status status; /* of a request: what its completion tells */
};

/* Memory of the thread's call. A thread records one call at a time, so it is used again and again. */
struct scratch {
    ARRAY(int64_t) slots;
    uint32_t n_before; /* slots of the part before the call */
    struct open_call open;
    ARRAY(struct watched) watched;
    ARRAY(MPI_Status) statuses; /* in place of MPI_STATUSES_IGNORE */
    struct arena arena;         /* Fortran's arguments as C has them */
};

extern _Thread_local struct scratch scratch __attribute__((tls_model("initial-exec")));

/* Room for n more slots. False when the tracer has failed, by now at least. */
bool call_reserve(struct call *call, size_t n);
void call_put(struct call *call, int64_t slot);
/* Begins an array of n elements with `each` slots; n may be an ARRAY_ code. True when elements are to follow.
 */
bool call_put_count(struct call *call, const void *array, int64_t n, size_t each);

#endif
