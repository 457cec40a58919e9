/* Time stamps in nanoseconds since an arbitrary moment; never going backwards. */
#ifndef REFRAIN_CLOCK_H
#define REFRAIN_CLOCK_H

#include <stdint.h>

uint64_t clock_now(void);

#endif
