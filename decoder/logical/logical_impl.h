/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room share: how a program is made.
 *
 *     model ── merge ──> steps ── fold ──> fewer, in loops ── procedures ──> program */
#ifndef REFRAIN_LOGICAL_IMPL_H
#define REFRAIN_LOGICAL_IMPL_H

#include "logical.h"

/* ---- forms (form.c) -------------------------------------------------------------------------- */

#define FORM_COMM UINT32_MAX /* in place of a number of the act: that of the communicator, in the template */
#define FORM_NONE UINT32_MAX

/* A template without the rank that acts. */
struct form {
    uint32_t text;    /* its number */
    uint32_t partner; /* which of the act's numbers; FORM_NONE: there is none */
    uint32_t n;       /* numbers, from `first` of the table's places on: which of the act's, or FORM_COMM */
    size_t first;
    uint64_t comm;
};

struct form_table {
    struct logical *logical;
    ARRAY(struct form) forms; /* by template */
    ARRAY(uint32_t) places;
    struct bytes text;    /* scratch */
    struct map of_bodies; /* system -> its place in `bodies` */
    ARRAY(uint64_t) bodies;
};

/* Of all templates of the program's model. To be freed in any case. */
enum refrain_status form_table_create(struct form_table *t, struct logical *l);
void form_table_free(struct form_table *t);

static inline const struct form *form_of(const struct form_table *t, uint32_t template)
{
    return &t->forms.items[template];
}

/* Which forms a loop's body has: a bit for each, which several may share. */
uint64_t form_bits(struct form_table *t, const struct system *body);

/* ---- merging (merge.c) ----------------------------------------------------------------------- */

/* The sequences of some processes, those that a system has of each, as one list of steps. */
struct merge_part {
    uint32_t process;
    const struct system *system;
};
enum refrain_status logical_merge(struct form_table *forms, const struct merge_part *parts, size_t n,
                                  uint32_t depth, struct steps *out);

/* ---- steps (step.c) -------------------------------------------------------------------------- */

/* Equal for steps that differ in nothing but values of numbers. */
uint64_t step_shape(const struct step *s);
/* Are two steps the same, seen from `base` loops around each? Not if they depend on the indices of those. */
bool step_same(const struct step *a, uint32_t base_a, const struct step *b, uint32_t base_b);
/* Equal for the same steps; 0 if it depends on the indices of loops around the base. */
uint64_t step_hash(const struct step *s, uint32_t base);
/* Copies: with one more loop around at this level; without the first `base` loops around, on which it does not
 * depend. NULL when memory is short. */
struct step *step_deepen(struct arena *a, const struct step *s, uint32_t level);
struct step *step_rebase(struct arena *a, const struct step *s, uint32_t base);
/* All processes of some steps, into a loop or a call around them. False when memory is short. */
bool step_unite(struct arena *a, struct step *const *steps, size_t n, const uint32_t **processes,
                uint32_t *n_processes);

/* ---- lines (line.c) -------------------------------------------------------------------------- */

/* What of some steps from `at` on is one item of a line: one step, or a receive and a send that are an exchange. */
size_t line_item(const struct logical *l, const struct steps *s, size_t at);
/* … is one line: items that differ in nothing but partner and numbers. Returns the first behind it. */
size_t line_end(const struct logical *l, const struct steps *s, size_t at);
/* The lines of `n` steps, with what is inside. */
size_t line_count(const struct logical *l, const struct steps *s, size_t at, size_t n);
/* A form in pieces: "send", " tag#", " comm#"; the last one may be empty. Of an event with a partner. */
struct form_pieces {
    const char *verb, *middle, *end;
    size_t n_verb, n_middle, n_end;
};
struct form_pieces form_split(const struct logical *l, uint32_t form);

/* ---- making it shorter ----------------------------------------------------------------------- */

/* What is repeated becomes a loop, here and in all bodies. (fold.c) */
enum refrain_status logical_fold(struct logical *l, struct steps *steps, uint32_t depth);
/* What comes in several places becomes a procedure. (procedures.c) */
enum refrain_status logical_find_procedures(struct logical *l);

#endif
