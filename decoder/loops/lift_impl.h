/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside lift.h: lift_symbol.c says what is in each symbol of the skeleton, lift.c goes through them. */
#ifndef REFRAIN_LIFT_IMPL_H
#define REFRAIN_LIFT_IMPL_H

#include "lift.h"
#include "lift_site.h"

/* Calls of a site that have events and of which it matters which they are. */
struct lift_calls {
    uint32_t entry;
    uint64_t n; /* in one expansion of a symbol */
};

/* A site or rule of the skeleton. */
struct lift_symbol {
    bool active;                    /* has events */
    bool in_loops;                  /* has sites behind which loops of the shape come that have events */
    bool large;                     /* its model is not kept */
    struct nlr *model;              /* of a symbol with fixed sites only; NULL until needed */
    ARRAY(struct lift_calls) calls; /* each entry once */
};

struct lift {
    struct call_event_source *source;
    const struct shape *shape;
    size_t window;
    uint32_t *entry_of;      /* by site */
    struct lift_site *sites; /* by entry */
    struct lift_symbol *of_site, *of_rule;
    struct series_cursor counts[LOOPS_MAX]; /* of the shape's loops, */
    bool eventful[LOOPS_MAX];               /* those that have events: others are not walked */
    /* Of the sites of the symbol at hand, one behind the other: in calls, and in expansions of it. */
    struct repetitions *given, *common;
};

static inline struct lift_symbol *lift_symbol_of(const struct lift *l, uint32_t symbol)
{
    return symbol & RULES_REF ? &l->of_rule[symbol & ~RULES_REF] : &l->of_site[l->entry_of[symbol]];
}

static inline struct lift_site *lift_site_of(const struct lift *l, uint32_t site)
{
    return &l->sites[l->entry_of[site]];
}

/* Does a loop of the shape before number `level` come behind the site, one that has events? */
bool lift_has_loop(const struct lift *l, uint32_t site, size_t level);
/* Sites are open. */
enum refrain_status lift_describe_symbols(struct lift *l);

#endif
