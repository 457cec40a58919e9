/* When a call began and ended: nanoseconds of one rank's clock. */
#ifndef REFRAIN_STAMP_H
#define REFRAIN_STAMP_H

#include <stdint.h>

struct stamp {
    uint64_t enter, leave; /* enter <= leave */
};

#endif
