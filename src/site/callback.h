/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that the application makes in its callbacks, while the MPI library runs them inside another call:
 * attribute functions, user-defined operators, error handlers, generalized requests. */
#ifndef REFRAIN_CALLBACK_H
#define REFRAIN_CALLBACK_H

#include <stdbool.h>

/* Does the application make the call that returns to this address, and not the MPI library of itself? By the
 * module that holds the address. Where that cannot tell, because the program is linked with the tracer or
 * with the MPI library statically, it is taken for the library's. */
bool callback_calls(const void *return_address);

#endif
