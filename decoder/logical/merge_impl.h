/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files merge*.c. */
#ifndef REFRAIN_MERGE_IMPL_H
#define REFRAIN_MERGE_IMPL_H

#include "logical_impl.h"

/* Scores of how well two turns match; 0: no match. */
enum { POOR = 1, FAIR = 4, GOOD = 6, BETTER = 12, SAME = 64 };

struct turn {
    const struct construct *construct;
    const struct act *act; /* NULL: it is a loop */
};

struct way {
    uint32_t process;
    ARRAY(struct turn) turns;
    struct statement **at; /* by turn */
};

struct statement {
    struct direction partner; /* directions that all of its turns have in common */
    ARRAY(struct statement_turn {
        uint32_t process;
        struct turn turn;
    })
    turns;
};

struct merger {
    struct form_table *forms;
    struct logical *logical;
    uint32_t depth;
    struct way *ways;
    size_t n_ways;
    uint32_t *order; /* indices of ways, longest first */
    ARRAY(struct statement *) statements;
    ARRAY(uint32_t) variants; /* ways that were aligned */
    int32_t *cells;
    size_t n_cells;
    uint64_t left; /* comparisons that this list may still take */
};

/* Returns how well a turn of a process matches the first turn of a statement. (merge_match.c) */
int merge_match(struct merger *m, const struct statement *s, uint32_t process, struct turn t);
/* Returns the partner of an act (its number `number`) as a direction. If the partner depends on an index,
 * that of iteration 0 is used. */
struct direction merge_direction(const struct merger *m, uint32_t process, const struct act *act,
                                 uint32_t number);
/* Makes steps of the statements, in their order. (merge_steps.c) */
enum refrain_status merge_make_steps(struct merger *m, struct steps *out);

/* Returns the words of number k of an act. */
static inline const uint64_t *act_number(const struct merger *m, const struct act *a, uint32_t k)
{
    return a->words + (size_t)k * (m->depth + 1);
}

#endif
