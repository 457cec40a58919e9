/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of accelerators. The tracer does not see its allocation, since CUDA's run-time library is
 * usually part of the program. But the driver below it is a shared library that can look up any
 * address. It is used if the program has loaded it; Refrain neither loads it nor needs it for
 * building. */
#ifndef REFRAIN_DEVICE_H
#define REFRAIN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An allocation on a device. */
struct device_memory {
    uintptr_t start;
    size_t size;
    uint64_t id; /* unique in the process, also over time */
    int device;  /* number of the device */
};

/* False if the address is in no allocation. The caller must not hold a lock, since the driver has
 * locks of its own. */
bool device_find(uintptr_t address, struct device_memory *out);

#endif
