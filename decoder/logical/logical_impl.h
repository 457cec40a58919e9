/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of this room, not for others: the steps to make a program.
 *
 *     model ── merge ──> steps ── fold ──> fewer, in loops ── procedures ──> program */
#ifndef REFRAIN_LOGICAL_IMPL_H
#define REFRAIN_LOGICAL_IMPL_H

#include "line.h"
#include "logical.h"

/* ---- forms (form.c) -------------------------------------------------------------------------- */

#define FORM_COMM UINT32_MAX /* instead of an act's number: the template's communicator number */
#define FORM_NONE UINT32_MAX

/* A template without the rank that acts. */
struct form {
    uint32_t text;    /* its number */
    uint32_t partner; /* index among the act's numbers; FORM_NONE: no partner */
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

/* Makes the forms of all templates of the program's model. The caller frees the table, also after an
 * error. */
enum refrain_status form_table_create(struct form_table *t, struct logical *l);
void form_table_free(struct form_table *t);

static inline const struct form *form_of(const struct form_table *t, uint32_t template)
{
    return &t->forms.items[template];
}

/* Returns a bit set of the forms in a loop's body. Several forms may share a bit. */
uint64_t form_bits(struct form_table *t, const struct system *body);

/* ---- merging (merge.c) ----------------------------------------------------------------------- */

/* Merges the sequences of some processes into one list of steps. Each part is a process and a system with its
 * sequence. */
struct merge_part {
    uint32_t process;
    const struct system *system;
};
enum refrain_status logical_merge(struct form_table *forms, const struct merge_part *parts, size_t n,
                                  uint32_t depth, struct steps *out);

/* ---- steps (step.c) -------------------------------------------------------------------------- */

/* Returns a hash that is equal for steps that differ only in the values of numbers. */
uint64_t step_shape(const struct step *s);
/* Are two steps the same when the outer `base_a` and `base_b` loops are ignored? False if a step depends on
 * the indices of these loops. */
bool step_same(const struct step *a, uint32_t base_a, const struct step *b, uint32_t base_b);
/* Returns a hash that is equal for the same steps (step_same); 0 if the step depends on the indices of the
 * outer `base` loops. */
uint64_t step_hash(const struct step *s, uint32_t base);
/* Copy a step: step_deepen adds a loop around it at `level`; step_rebase removes the outer `base` loops, on
 * which the step must not depend. Return NULL if memory is short. */
struct step *step_deepen(struct arena *a, const struct step *s, uint32_t level);
struct step *step_rebase(struct arena *a, const struct step *s, uint32_t base);
/* Makes the union of the processes of some steps, for a loop or a call around them. Returns false if memory
 * is short. */
bool step_unite(struct arena *a, struct step *const *steps, size_t n, const uint32_t **processes,
                uint32_t *n_processes);

/* ---- making it shorter ----------------------------------------------------------------------- */

/* Folds repeated steps into loops, here and in all bodies. (fold.c) */
enum refrain_status logical_fold(struct logical *l, struct steps *steps, uint32_t depth);
/* Makes a procedure of steps that come in several places. (procedures.c) */
enum refrain_status logical_find_procedures(struct logical *l);

#endif
