/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of accelerators. Its allocation calls are not seen, since CUDA's run-time library is usually part of
 * the program; the driver below it is a shared library, and can be asked about any address. It is asked if
 * the program has loaded it; Refrain neither loads it nor needs it to be built. */
#ifndef REFRAIN_DEVICE_H
#define REFRAIN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An allocation. */
struct device_memory {
    uintptr_t start;
    size_t size;
    uint64_t id; /* no other allocation of the process ever had it */
    int device;  /* its number */
};

/* False if the address is in none. No lock may be held: the driver has locks of its own. */
bool device_find(uintptr_t address, struct device_memory *out);

#endif
