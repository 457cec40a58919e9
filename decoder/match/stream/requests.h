/* SPDX-License-Identifier: BSD-3-Clause */
/* The requests and messages that a rank has in use, with their operations.
 *
 *     by_key   (thread, number of the handle) -> slot
 *     slots    [Irecv] [free] [Send_init, active] …       free slots are reused, the last freed first */
#ifndef REFRAIN_REQUESTS_H
#define REFRAIN_REQUESTS_H

#include "operation.h"

enum { REQUEST_PARTS = 2 }; /* MPI_Isendrecv */

struct request {
    uint64_t key;
    bool used, persistent;
    bool active;       /* started, and not completed yet */
    bool cancel_asked; /* MPI_Cancel was called, perhaps too late */
    unsigned n_parts;
    struct operation parts[REQUEST_PARTS]; /* its operations, each time it is started */
    struct group_view members;             /* of the communicator */
    uint64_t starts;
    uint32_t next_free;
};

struct requests {
    struct map by_key;
    ARRAY(struct request) slots;
    uint32_t free; /* UINT32_MAX: none */
};

#define REQUEST_NONE UINT32_MAX

uint64_t request_key(uint32_t thread, uint64_t number, bool message);
void requests_start(struct requests *r);
void requests_stop(struct requests *r);
/* Returns the slot of the request with this key, or REQUEST_NONE. */
uint32_t requests_find(const struct requests *r, uint64_t key);
/* Adds a request; the key must not be in use. Returns REQUEST_NONE when memory is short. */
uint32_t requests_add(struct requests *r, uint64_t key);
void requests_remove(struct requests *r, uint32_t slot);

#endif
