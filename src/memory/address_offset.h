/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses as offsets from a place that every rank has: on the stack, from the stack pointer at
 * the call; in a module (static variables, functions), from the module's beginning. */
#ifndef REFRAIN_ADDRESS_OFFSET_H
#define REFRAIN_ADDRESS_OFFSET_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/core/base/placement.h"
#include "src/core/base/status.h"

struct trace;

/* The stack of this thread. */
extern _Thread_local struct address_offset_stack {
    uintptr_t low, high; /* high 0: not known yet */
} address_offset_stack __attribute__((tls_model("initial-exec")));

COLD void address_offset_find_stack(uintptr_t stack);

/* Whether the address is on this thread's stack, at the stack pointer `stack` or above; *offset is
 * its distance. Stacks of other threads, and memory that the program uses as a stack itself, are
 * not found. */
static inline bool address_offset_on_stack(uintptr_t address, uintptr_t stack, int64_t *offset)
{
    assert(stack);
    if (address < stack)
        return false;
    if (!address_offset_stack.high)
        address_offset_find_stack(stack);
    if (stack < address_offset_stack.low || address >= address_offset_stack.high)
        return false;
    *offset = (int64_t)(address - stack);
    return true;
}

/* *module is the low 32 bits of XXH64 of the module's name, 0 if no module has the address; *offset
 * is the offset in its file. */
enum refrain_status address_offset_static(uintptr_t address, uint32_t *module, int64_t *offset);

/* Store names and files of the modules found so far in a trace. */
enum refrain_status address_offset_store(struct trace *t);

#endif
