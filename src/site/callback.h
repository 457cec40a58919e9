/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that the application makes in its callbacks, while the MPI library runs them inside another call:
 * attribute functions, user-defined operators, error handlers, generalized requests. */
#ifndef REFRAIN_CALLBACK_H
#define REFRAIN_CALLBACK_H

#include <stdbool.h>

/* Whether the application, and not the MPI library itself, makes the call that returns to this
 * address. The module of the address decides. If the program is statically linked with the tracer
 * or the MPI library, this is not possible; then the caller is taken to be the library. */
bool callback_calls(const void *return_address);

#endif
