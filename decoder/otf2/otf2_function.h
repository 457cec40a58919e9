/* SPDX-License-Identifier: BSD-3-Clause */
/* What OTF2 calls the functions of MPI: the role of the region, the collective operation, the access to
 * memory. */
#ifndef REFRAIN_OTF2_FUNCTION_H
#define REFRAIN_OTF2_FUNCTION_H

#include <stdbool.h>

#include <otf2/otf2.h>

enum otf2_access { OTF2_ACCESS_NONE, OTF2_ACCESS_PUT, OTF2_ACCESS_GET, OTF2_ACCESS_ATOMIC };

/* What is done with a file. A split operation is done in two halves. */
enum otf2_transfer {
    OTF2_TRANSFER_NONE,
    OTF2_TRANSFER_READ,
    OTF2_TRANSFER_WRITE,
    OTF2_TRANSFER_FLUSH,
    OTF2_TRANSFER_SEEK,
    OTF2_TRANSFER_DELETE
};
enum otf2_half { OTF2_HALF_BOTH, OTF2_HALF_BEGIN, OTF2_HALF_END };

struct otf2_function {
    OTF2_RegionRole role;
    bool collective;
    OTF2_CollectiveOp operation; /* if it is collective */
    enum otf2_access access;     /* to a window */
    OTF2_RmaAtomicType atomic;   /* if it is OTF2_ACCESS_ATOMIC */
    enum otf2_transfer transfer; /* from or to a file */
    enum otf2_half half;
    bool local; /* a flush that completes nothing at the targets */
};

/* Also of "_c", non-blocking and "_init" forms, whose operation is that of the blocking one. */
struct otf2_function otf2_function(const char *name);

/* Do readers of OTF2 2.x know the operation? */
bool otf2_operation_is_old(OTF2_CollectiveOp operation);

#endif
