/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a CUBE document, for cube_file.c. */
#ifndef REFRAIN_CUBE_XML_H
#define REFRAIN_CUBE_XML_H

#include "cube.h"
#include "src/core/base/bytes.h"

enum cube_version { CUBE_3 = 3, CUBE_4 = 4 };

/* Everything before the severities: the head of the document, metrics, program and system. */
void cube_put_head(const struct cube *c, enum cube_version version, struct bytes *out);
/* One row of severities in CUBE 3: a number for each location. */
void cube_put_row(const struct cube *c, size_t call_path, const double *values, struct bytes *out);

#endif
