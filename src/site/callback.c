/* SPDX-License-Identifier: BSD-3-Clause */
#include "callback.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "src/memory/guard.h"
#include "src/memory/module.h"

/* MPICH's Fortran procedures call its C procedures each time, so each thread keeps the answers for
 * its last return addresses. The low bits of the address select the entry. */
#define KEPT 16

static _Thread_local struct {
    const void *address;
    bool applications;
} kept[KEPT] __attribute__((tls_model("initial-exec")));

/* Whether the module contains MPI's own procedures or the tracer's. A call of an MPI library may
 * return into the tracer if it is the tail call of a procedure that a wrapper called. */
static bool has_ours(const struct module *m)
{
    static const uintptr_t ours[] = {(uintptr_t)PMPI_Init, (uintptr_t)callback_calls};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        struct module holder;
        if (module_find((const void *)ours[i], &holder) && holder.base == m->base)
            return true;
    }
    return false;
}

/* Whether the address belongs to the application. Code outside of all modules was generated at run
 * time; no MPI library does that. */
static bool find_out(const void *address)
{
    struct module module;
    return !module_find(address, &module) || (module.kind != MODULE_MPI && !has_ours(&module));
}

bool callback_calls(const void *return_address)
{
    const size_t place = ((uintptr_t)return_address >> 2) % KEPT;
    if (kept[place].address != return_address) {
        kept[place].applications = find_out(return_address);
        kept[place].address = return_address;
    }
    return kept[place].applications;
}
