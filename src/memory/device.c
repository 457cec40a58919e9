/* SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>

/* The interfaces of the CUDA and HIP drivers differ only in names. Results are 0 on success. */
typedef int get_attribute(void *value, int attribute, uintptr_t address);
typedef int get_range(uintptr_t *start, size_t *size, uintptr_t address);

enum {
    ATTRIBUTE_BUFFER_ID = 7,
    ATTRIBUTE_DEVICE_ORDINAL = 9
}; /* of CUpointer_attribute and hipPointer_attribute */

/* the library names under which these procedures exist */
static struct driver {
    const char *library, *attribute_name, *range_name;
    get_attribute *attribute;
    get_range *range; /* set last */
} drivers[] = {
    {"libcuda.so.1", "cuPointerGetAttribute", "cuMemGetAddressRange_v2", NULL, NULL},
    {"libamdhip64.so.7", "hipPointerGetAttribute", "hipMemGetAddressRange", NULL, NULL},
    {"libamdhip64.so.6", "hipPointerGetAttribute", "hipMemGetAddressRange", NULL, NULL},
    {"libamdhip64.so.5", "hipPointerGetAttribute", "hipMemGetAddressRange", NULL, NULL},
};

#define N_DRIVERS (sizeof drivers / sizeof drivers[0])

static _Atomic(struct driver *) driver; /* the driver that is loaded */

static int count_loads(struct dl_phdr_info *info, size_t size, void *data)
{
    unsigned long long *loads = data;
    (void)size;
    *loads = info->dlpi_adds;
    return 1; /* all modules report the same number */
}

/* Look for a driver again if libraries were loaded since the last search. Two threads that search
 * at once find the same driver. */
static struct driver *find_driver(void)
{
    static _Atomic unsigned long long loads_then;
    unsigned long long loads = 0;
    dl_iterate_phdr(count_loads, &loads);
    if (atomic_exchange(&loads_then, loads) == loads)
        return atomic_load(&driver);
    for (size_t i = 0; i < N_DRIVERS && !atomic_load(&driver); i++) {
        void *library = dlopen(drivers[i].library, RTLD_LAZY | RTLD_NOLOAD);
        void *attribute = library ? dlsym(library, drivers[i].attribute_name) : NULL;
        void *range = library ? dlsym(library, drivers[i].range_name) : NULL;
        if (attribute && range) {
            /* ISO C has no cast from object to function pointer. */
            *(void **)&drivers[i].attribute = attribute;
            *(void **)&drivers[i].range = range;
            atomic_store(&driver, &drivers[i]);
        } else if (library) {
            dlclose(library);
        }
    }
    return atomic_load(&driver);
}

bool device_find(uintptr_t address, struct device_memory *out)
{
    const int saved_errno = errno;
    struct driver *d = atomic_load(&driver);
    struct device_memory found = {0};
    if (!d)
        d = find_driver();
    const bool is_there = d && d->range(&found.start, &found.size, address) == 0 &&
                          address - found.start < found.size &&
                          d->attribute(&found.device, ATTRIBUTE_DEVICE_ORDINAL, address) == 0 &&
                          d->attribute(&found.id, ATTRIBUTE_BUFFER_ID, address) == 0;
    if (is_there)
        *out = found;
    errno = saved_errno;
    return is_there;
}
