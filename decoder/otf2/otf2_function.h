/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the roles of functions (role.h) to the terms of OTF2. */
#ifndef REFRAIN_OTF2_FUNCTION_H
#define REFRAIN_OTF2_FUNCTION_H

#include "decoder/call/role.h"

#include <otf2/otf2.h>

OTF2_RegionRole otf2_region_role(enum role_region region);
/* COLLECTIVE_NONE, which a damaged file may have, maps to a barrier. */
OTF2_CollectiveOp otf2_operation(enum role_collective collective);
/* `role` must have ROLE_ATOMIC. */
OTF2_RmaAtomicType otf2_atomic_type(const struct role *role);

/* Do readers of OTF2 2.x know the operation? */
bool otf2_operation_is_old(OTF2_CollectiveOp operation);

#endif
