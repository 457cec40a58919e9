/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces image_png.c if configure did not find librsvg. */
#include "image_png.h"

#include "src/core/base/log.h"

enum refrain_status image_png_of_svg(const struct bytes *svg, struct bytes *out)
{
    (void)svg, (void)out;
    log_error("this refrain was built without librsvg and cannot write PNG: use SVG, or install librsvg "
              "(Debian: librsvg2-dev) and configure again");
    return REFRAIN_ERR_USAGE;
}
