/* SPDX-License-Identifier: BSD-3-Clause */
/* The sequence of a lane's sites while it grows. It has a grammar, and loops whose number of repetitions
 * keeps changing.
 *
 * `while (!flag) MPI_Test(…)` repeats its body a different number of times each time, and no grammar has a
 * short form for that. Such a body becomes a *loop* (trace.h): after its last site, further repetitions
 * are counted instead of appended, and the count goes into a series. If the body is sometimes missing
 * completely, it becomes a second loop, which starts after the site before the body.
 *
 *     a T^7 b  a T^2 b  a T b …      loop after T { T }        counts 6 1 0 …      grammar (a T b)^n
 *     a T^7 b  a b      a T b …      and loop after a { T }    counts 1 0 1 …      grammar (a b)^n
 *
 * Each loop is a stage: it takes sites, and passes them on without the repetitions.
 *
 *     sites ──> loop 0 ──> loop 1 ──> … ──> grammar
 *
 * The grammar is searched for loops each time it has doubled in size. A new loop becomes the last stage,
 * so the content of the grammar passes through it into a new grammar. */
#ifndef REFRAIN_SKELETON_H
#define REFRAIN_SKELETON_H

#include "src/core/grammar/grammar.h"
#include "src/core/series/series.h"
#include "src/core/trace/trace.h"

struct skeleton_loop {
    uint32_t after, n, *sites; /* as in trace.h; sites are owned */
    struct series *counts;     /* owned */
    bool open;                 /* `after` was the latest site, so repetitions may follow */
    uint64_t times;            /* number of complete repetitions */
    uint32_t at;               /* number of sites in the current, incomplete repetition */
};

struct skeleton {
    struct grammar *grammar; /* owned */
    struct skeleton_loop loops[LOOPS_MAX];
    uint32_t n_loops;
    size_t limit; /* when the grammar is larger, look for a loop */
};

enum refrain_status skeleton_create(struct skeleton *s);
void skeleton_free(struct skeleton *s);
/* Append site^count, count >= 1. After an error the skeleton may only be freed. */
enum refrain_status skeleton_append(struct skeleton *s, uint32_t site, uint64_t count);
/* End all open loops, so that no site is held back. Then search for loops once more. */
enum refrain_status skeleton_settle(struct skeleton *s);
bool skeleton_has_loop(const struct skeleton *s, uint32_t site); /* is the site in a loop? */
size_t skeleton_bytes(const struct skeleton *s);                 /* memory held */

#endif
