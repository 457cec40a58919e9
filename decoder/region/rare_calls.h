/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a few functions that programs call seldom, found by their rows: only where a lane has several
 * rows of one of them, and their order matters, or values in columns, are its calls walked. */
#ifndef REFRAIN_RARE_CALLS_H
#define REFRAIN_RARE_CALLS_H

#include "decoder/trace/cursor.h"

struct rare_calls {
    const char *const *functions; /* names; NULL is the last */
    bool ordered; /* each call in order, or, where a lane has each once, in that of `functions`;
                                     otherwise each row once, in no order */
    enum refrain_status (*take)(void *context, const struct reader *r, const struct call *call);
    void *context;
};

/* Finds the calls of all ranks, in the order of ranks. */
enum refrain_status rare_calls_find(const struct rare_calls *w, const struct reader *r);

/* Gets the bytes of a string argument. Returns false if it is a null pointer or no string. */
bool rare_calls_text(const struct reader *r, const struct call *call, const char *argument,
                     struct bytes *out);

#endif
