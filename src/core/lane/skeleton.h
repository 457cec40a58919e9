/* SPDX-License-Identifier: BSD-3-Clause */
/* The sequence of a lane's sites while it grows: a grammar, and loops whose repetitions keep changing.
 *
 * `while (!flag) MPI_Test(…)` repeats its body another number of times each time, and no grammar has a short
 * form for that. Such a body becomes a *loop* (trace.h): behind its last site, further repetitions are not
 * appended but counted, and the count goes into a series. If then the body does not always come at all, it
 * becomes another loop, behind the site before it.
 *
 *     a T^7 b  a T^2 b  a T b …      loop after T { T }        counts 6 1 0 …      grammar (a T b)^n
 *     a T^7 b  a b      a T b …      and loop after a { T }    counts 1 0 1 …      grammar (a b)^n
 *
 * Each loop is a stage: what comes in is sites, what goes out is sites without the repetitions.
 *
 *     sites ──> loop 0 ──> loop 1 ──> … ──> grammar
 *
 * Loops are looked for when the grammar has become twice as large. A new one is the last stage, so what is in
 * the grammar goes through it and into another grammar. */
#ifndef REFRAIN_SKELETON_H
#define REFRAIN_SKELETON_H

#include "src/core/grammar/grammar.h"
#include "src/core/series/series.h"
#include "src/core/trace/trace.h"

struct skeleton_loop {
    uint32_t after, n, *sites; /* as in trace.h; sites are owned */
    struct series *counts;     /* owned */
    bool open;                 /* `after` has just been: repetitions may follow, */
    uint64_t times;            /* so many have, */
    uint32_t at;               /* and of another one the sites before this */
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
/* Nothing is held back any more: open loops end. Loops are looked for once more. */
enum refrain_status skeleton_settle(struct skeleton *s);
bool skeleton_has_loop(const struct skeleton *s, uint32_t site); /* that the site is in */
size_t skeleton_bytes(const struct skeleton *s);                 /* memory held */

#endif
