/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of a lane's calls while it runs: what will be kept of each is decided at once, and coded later.
 *
 *     done: coded blocks | open: complete blocks … | the block at hand          3 to 10 bytes a call while open
 *
 * When the open blocks take up TIME_LOG_OPEN bytes, those that are complete are coded. What is kept, in lossy
 * modes:
 *
 *     time      ────────────gap────────────|──duration──|──gap──|─…
 *     kept      ──────────gap──────────|───duration──|──gap──|─…
 *                                      |←──→| error of the entry
 *
 * Each interval t becomes one of the two values beside it on the grid (time_grid.h), by number, so that
 * errors may add up. They do not, by these steps. Let E be the error so far, L the longest interval of the
 * calls before, which slowly forgets, and T = max(2 (b - 1) L, floor), the tolerance.
 *
 * 1. With the odd-numbered neighbour, is |E| <= T afterwards? Then it is that.
 * 2. Otherwise, is t - E within the bound of t? Then it is that value, exactly; E = 0.
 * 3. Otherwise, it is the neighbour that takes E towards 0: the lower one if E > 0.
 *
 * So |E| is never larger than the largest T so far, 2 (b - 1) times the longest interval or the floor. Proof:
 * after 1 and 2 it is not. In 3 t - E is out of bounds: E > (1 - 1/b) t, and the lower neighbour is at most
 * so much below t, so that 0 <= E + r - t <= E; or -E > (b - 1) t, and the upper one is at most so much
 * above. Below the floor neighbours are nearer than the floor, which is at most T. And an E that is larger
 * than T is taken back to 0 by the first interval of at least |E| / (1 - 1/b).
 *
 * Nothing of this is in the format: a reader adds up what it finds. */
#ifndef REFRAIN_TIME_LOG_H
#define REFRAIN_TIME_LOG_H

#include "src/core/base/timestamp.h"
#include "time_mode.h"

#define TIME_LOG_OPEN ((size_t)4 << 20)

struct time_log;

/* The mode has to stay. NULL when memory is short, which is logged. */
struct time_log *time_log_create(const struct time_mode *mode);
void time_log_free(struct time_log *l);

/* The next call of the lane, from a call site with any number, of a function with this grid. Timestamps that
 * go back are moved: a call neither ends before the one before it nor before it began. */
enum refrain_status time_log_add(struct time_log *l, uint32_t site, uint32_t grid, const struct timestamp *s);
uint64_t time_log_calls(const struct time_log *l);
size_t time_log_bytes(const struct time_log *l); /* memory held */
/* What there is so far, as a piece of an annex (time_piece.h), appended. `coded`: otherwise what is open
 * stays as it is, which takes next to no time. */
enum refrain_status time_log_store(struct time_log *l, bool coded, struct bytes *out);

#endif
