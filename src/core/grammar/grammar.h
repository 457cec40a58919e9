/* SPDX-License-Identifier: BSD-3-Clause */
/* Sequitur with repetition counts, built while the program runs.
 *
 * Nevill-Manning and Witten's algorithm (JAIR 7, 1997) on symbols with exponents: equal neighbours are
 * joined (A^i A^j = A^(i+j)), so a loop costs O(1) symbols whatever its count. Two invariants hold between
 * calls: digram uniqueness (no pair of neighbouring powers occurs twice, counts included) and rule utility
 * (every rule is used at least twice, where R^k counts as k uses).
 *
 * Symbols and digrams are in arrays with 32-bit indices and free lists. If a rule is used only once, its body
 * is moved to the place of its use, not copied. */
#ifndef REFRAIN_GRAMMAR_H
#define REFRAIN_GRAMMAR_H

#include "rules.h"

struct grammar;

struct grammar *grammar_create(void); /* NULL when memory is short */
void grammar_free(struct grammar *g);

/* Append terminal^count; terminal < RULES_REF, count >= 1. On an error the grammar is unusable but may be
 * freed. */
enum refrain_status grammar_append(struct grammar *g, uint32_t terminal, uint64_t count);
uint64_t grammar_length(const struct grammar *g);
size_t
grammar_size(const struct grammar *g); /* symbols that it has room for: a rough measure of its complexity */
size_t grammar_bytes(const struct grammar *g); /* memory held */

/* Convert the grammar to rules, in canonical order. The grammar does not change and may grow on. */
enum refrain_status grammar_rules(const struct grammar *g, struct rules **out);

/* Check all invariants (links, digram table, uniqueness, utility, lengths), and log the first broken one.
 * Returns REFRAIN_ERR_CHECK if there is one. For tests. Defined in grammar_check.c. */
enum refrain_status grammar_check(const struct grammar *g);

#endif
