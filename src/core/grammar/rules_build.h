/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts rules in order: takes bodies in any order, and makes bodies that refer to earlier rules only, with
 * equal bodies stored once. Grammars, shared rules and their parts all use this.
 *
 * Rules come in as arrays like those of struct rules, except that a body may refer to any rule as long as
 * there is no circle. They go out in postorder of their first use. */
#ifndef REFRAIN_RULES_BUILD_H
#define REFRAIN_RULES_BUILD_H

#include "rules.h"
#include "src/core/base/map.h"

struct rules_builder {
    ARRAY(uint32_t) first;           /* offsets into items, one for each rule built and one for the end */
    ARRAY(struct rules_item) items;  /* bodies */
    struct map bodies;               /* hash of a body -> its rule */
    ARRAY(struct rules_visit) visit; /* stack of the walk */
};

struct rules_visit {
    uint32_t rule, item;
};

/* The input rules, and in `built` the power that each has become; its count is 0 until then. Several roots
 * may use the same `built`. */
struct rules_source {
    const uint32_t *first;
    const struct rules_item *items;
    struct rules_item *built;
};

enum rules_build {
    RULES_BUILD_SAME, /* bodies stay as they are */
    RULES_BUILD_TIDY, /* a rule of a single power becomes that power; equal neighbours are joined */
};

/* Add all rules that are reachable from a root. *number becomes the rule of the root; the root always
 * stays a rule with a body. */
enum refrain_status rules_builder_add(struct rules_builder *b, const struct rules_source *source,
                                      uint32_t root, enum rules_build how, uint32_t *number);
uint32_t rules_builder_count(const struct rules_builder *b);
void rules_builder_free(struct rules_builder *b);
/* Move the rules and the roots (a malloc'd array) into *out. Afterwards the builder is empty and *roots is
 * NULL. */
enum refrain_status rules_shared_add(struct rules_builder *b, uint32_t **roots, uint32_t n_roots,
                                     struct rules_shared *out);

#endif
