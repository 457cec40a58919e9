/* SPDX-License-Identifier: BSD-3-Clause */
/* The model as a picture: what `refrain model` prints, line by line from left to right, with a row for each rank.
 *
 *             1    2     3              numbers of the lines of the text, which is below
 *     rank 0  ┌──────────────┐          a box is a loop
 *          1  │[\]  [\]  │   │          a band is the ranks that do a line at the same time: a loop over ranks
 *          2  │[/]   [\] ┆   │          goes down or up; arrows are messages
 *          3  │[/]    [\]┆   │          a broken line is a collective operation
 *             └──────────────┘ */
#ifndef REFRAIN_JOINT_SVG_H
#define REFRAIN_JOINT_SVG_H

#include "annotations.h"

#include "decoder/logical/joint/joint.h"
#include "decoder/util/output.h"

/* `notes` may be NULL. */
enum refrain_status joint_put_svg(const struct logical *l, struct joint *joint,
                                  const struct annotations *notes, struct output *out);

#endif
