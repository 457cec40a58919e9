/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells of a part in a table: its time, its share of the run, its efficiencies. In JSON also what these
 * are made of. */
#ifndef REFRAIN_PART_CELLS_H
#define REFRAIN_PART_CELLS_H

#include "decoder/causes/part_times.h"
#include "decoder/util/emitter.h"

#define PART_CELLS_MOST 15

/* Writes the columns; returns how many. */
size_t part_cells_columns(struct emitter_column columns[PART_CELLS_MOST], bool as_json);
/* `run`: all parts together. */
void part_cells_put(struct emitter *e, const struct part_sum *s, const struct part_sum *run);
/* Of what is not in the run: only its time, in ns. */
void part_cells_put_time(struct emitter *e, uint64_t time);

#endif
