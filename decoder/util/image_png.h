/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures as pixels. */
#ifndef REFRAIN_IMAGE_PNG_H
#define REFRAIN_IMAGE_PNG_H

#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

/* An SVG document as a PNG image, of twice as many pixels, after what `out` has. REFRAIN_ERR_USAGE where
 * there is no librsvg, or Refrain was built without (image_png_none.c). */
enum refrain_status image_png_of_svg(const struct bytes *svg, struct bytes *out);

#endif
