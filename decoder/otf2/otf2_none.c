/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces otf2_*.c if configure did not find libotf2. */
#include "otf2_export.h"

#include "src/core/base/log.h"

enum refrain_status otf2_export(const struct otf2_request *request, const struct reader *r,
                                const struct definitions *d, const struct symbols *symbols)
{
    (void)request, (void)r, (void)d, (void)symbols;
    log_error("this refrain was built without OTF2: install libotf2 (Debian: libotf2-trace-dev) and "
              "configure again");
    return REFRAIN_ERR_USAGE;
}
