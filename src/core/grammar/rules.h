/* SPDX-License-Identifier: BSD-3-Clause */
/* A finished grammar: rules whose bodies are powers of terminals and of earlier rules.
 *
 *     (a b b)^1000 c          rule 0:  a^1 b^2          rule 1 (the start):  R0^1000 c^1
 *
 * Rules stand in postorder of their first use: a body refers only to rules before it, and the last rule is
 * the start. The same sequence built in the same way gives the same rules, so two grammars over one
 * alphabet can be compared as arrays. An empty sequence is one rule with an empty body. */
#ifndef REFRAIN_RULES_H
#define REFRAIN_RULES_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/repetition.h"
#include "src/core/base/status.h"

#define RULES_REF UINT32_C(0x80000000) /* if set, the other bits are a rule's number, not a terminal */

struct rules_item {
    uint32_t symbol;
    uint64_t count; /* >= 1 */
};

struct rules {
    uint32_t n_rules; /* >= 1 */
    uint32_t *first; /* n_rules + 1 offsets into items; rule r is items[first[r]] … items[first[r + 1] - 1] */
    struct rules_item *items;
    uint64_t *length; /* how many terminals each rule expands to; < 2^63 */
};

void rules_free(struct rules *r); /* the struct too; NULL is allowed */
struct rules *rules_copy(const struct rules *r);

/* Make rules from n_rules, first and items (copied). It fills `length`, and checks references and
 * overflow. */
enum refrain_status rules_create(uint32_t n_rules, const uint32_t *first, const struct rules_item *items,
                                 struct rules **out);

uint64_t rules_length(const struct rules *r);                   /* of the start */
bool rules_equal(const struct rules *a, const struct rules *b); /* as arrays */
uint64_t rules_hash(const struct rules *r);                     /* as arrays */
/* Replace each terminal t by to[t], n_to entries. The caller makes sure that the map is one to one. */
void rules_rename(struct rules *r, const uint32_t *to, uint32_t n_to);
/* Largest terminal + 1; 0 if there is none. */
uint32_t rules_alphabet(const struct rules *r);
/* Count how often each terminal t < n occurs in the whole expansion: counts[t]. Linear in the items. */
enum refrain_status rules_count(const struct rules *r, uint64_t *counts, uint32_t n);

/* Find the symbol that has the most different exponents, if there are at least RULES_VARYING: the body of
 * a loop whose count keeps changing. A rule qualifies only if it expands to at most `longest` terminals. */
#define RULES_VARYING 6
enum refrain_status rules_find_varying(const struct rules *r, uint64_t longest, uint32_t *symbol,
                                       bool *found);

/* Shared rules: the rules of many grammars, with each rule stored once; roots[i] is the start rule of
 * grammar i. Bodies refer to earlier rules only. */
struct rules_shared {
    uint32_t n_rules;
    uint32_t *first;
    struct rules_item *items;
    uint32_t n_roots;
    uint32_t *roots;
};
void rules_shared_free(struct rules_shared *p);
/* Put the rules of several grammars together, and store equal rules once. rules_shared_extract returns each
 * grammar exactly as it was. */
enum refrain_status rules_shared_create(struct rules *const *grammars, uint32_t n, struct rules_shared *out);
/* The same, and then look for digrams that bodies have in common: all bodies, divided by unique
 * separators, go through Sequitur again. Extraction gives equal *sequences*. */
enum refrain_status rules_shared_share(struct rules *const *grammars, uint32_t n, struct rules_shared *out);
enum refrain_status rules_shared_extract(const struct rules_shared *p, uint32_t root, struct rules **out);
void rules_shared_encode(const struct rules_shared *p, struct bytes *out);
enum refrain_status rules_shared_decode(struct bytes_reader *in, struct rules_shared *out);

/* Walking the expansion. A position is a stack of (item, repetition) pairs; seek uses the lengths. */
struct rules_frame {
    uint32_t item; /* the item at the position */
    uint32_t end;  /* the end of the body with the item */
    uint64_t done; /* repetitions of the item before the position */
};
struct rules_cursor {
    const struct rules *rules;
    uint64_t index; /* number of the next terminal */
    ARRAY(struct rules_frame) stack;
};
enum refrain_status rules_cursor_start(struct rules_cursor *c, const struct rules *r);
/* Go to terminal number index (<= length). If `skipped` is not NULL, skipped[t] += how often terminal t
 * occurs before it (n entries). */
enum refrain_status rules_cursor_seek(struct rules_cursor *c, uint64_t index, uint64_t *skipped, uint32_t n);
bool rules_cursor_next(struct rules_cursor *c, uint32_t *terminal); /* false at the end */
/* Get the powers around the next terminal that are not in their last repetition. Inner ones may be missing
 * if there are very many. */
void rules_cursor_repetitions(struct rules_cursor *c, struct repetitions *out);
/* Skip `times` rounds of a repetition; fewer than it has left. */
void rules_cursor_repeat(struct rules_cursor *c, const struct repetition *r, uint64_t times);
void rules_cursor_stop(struct rules_cursor *c);

#endif
