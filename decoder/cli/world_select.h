/* SPDX-License-Identifier: BSD-3-Clause */
/* Which world of a file a command is about, and how worlds come together in one. */
#ifndef REFRAIN_WORLD_SELECT_H
#define REFRAIN_WORLD_SELECT_H

#include "decoder/trace/reader.h"
#include "options.h"

/* The first operand's world that --world tells. */
enum refrain_status world_open(struct reader *r, const struct options *o);
/* Of another operand. */
enum refrain_status world_open_operand(struct reader *r, const struct options *o, unsigned operand);

/* Who spawned a world, as the tracer has it in META: "RUN RANK N", all of them kept as texts. */
struct world_spawner {
    char run[17];
    uint32_t rank, n;
};
bool world_read_spawner(const struct trace *t, struct world_spawner *out); /* false: nobody that is known */

/* The number of the world in `file` whose run this is; false if it is not in there. */
bool world_find_run(const char *path, uint32_t n_worlds, const char *run, uint32_t *number);

/* All worlds of some files, in that order, as one file. */
enum refrain_status world_join(char *const *paths, size_t n, struct bytes *out);

#endif
