/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the world of a file for a command, and joins worlds into one file. */
#ifndef REFRAIN_WORLD_SELECT_H
#define REFRAIN_WORLD_SELECT_H

#include "decoder/trace/reader.h"
#include "options.h"

/* Opens the world of the first operand that --world selects. */
enum refrain_status world_open(struct reader *r, const struct options *o);
/* The same for another operand. */
enum refrain_status world_open_operand(struct reader *r, const struct options *o, unsigned operand);

/* Who spawned a world, as the tracer has it in META: "RUN RANK N", all of them kept as texts. */
struct world_spawner {
    char run[17];
    uint32_t rank, n;
};
bool world_read_spawner(const struct trace *t, struct world_spawner *out); /* false: nobody that is known */

/* The number of the world in `file` whose run this is; false if it is not in there. */
bool world_find_run(const char *path, uint32_t n_worlds, const char *run, uint32_t *number);

/* Joins all worlds of some files, in that order, into one file. */
enum refrain_status world_join(char *const *paths, size_t n, struct bytes *out);

#endif
