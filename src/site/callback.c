/* SPDX-License-Identifier: BSD-3-Clause */
#include "callback.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "src/memory/guard.h"
#include "src/memory/module.h"

/* MPICH's Fortran procedures call those of C, each time, so the answers for a thread's last call sites are
 * kept: by the address, in the place that its low bits tell. */
#define KEPT 16

static _Thread_local struct {
    const void *address;
    bool applications;
} kept[KEPT] __attribute__((tls_model("initial-exec")));

/* Are the module's own procedures these: of MPI, or the tracer's? A library's call may return to the tracer,
 * when it is the last thing that a procedure called by a wrapper does. */
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

/* Code in no module was made at run time, which no MPI library does. */
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
