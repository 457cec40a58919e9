/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, waves and exchanges as text (docs/MODEL.md). */
#ifndef REFRAIN_JOINT_TEXT_H
#define REFRAIN_JOINT_TEXT_H

#include "printer.h"

enum refrain_status joint_put_body(struct printer *p, const struct steps *body, uint32_t indent);
enum refrain_status joint_put_group(struct printer *p, const struct joint_group *g, uint32_t indent);

#endif
