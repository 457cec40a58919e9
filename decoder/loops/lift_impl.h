/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of lift.h: lift_symbol.c describes each symbol of the skeleton, lift.c walks the symbols. */
#ifndef REFRAIN_LIFT_IMPL_H
#define REFRAIN_LIFT_IMPL_H

#include <assert.h>

#include "lift.h"
#include "lift_site.h"

/* Calls of a site whose events depend on the number of the call. */
struct lift_calls {
    uint32_t entry;
    uint64_t n; /* in one expansion of a symbol */
};

/* A site or rule of the skeleton. */
struct lift_symbol {
    bool active;                    /* has events */
    bool in_loops;                  /* contains a site after which a loop of the shape with events comes */
    bool large;                     /* its model is not kept */
    struct nlr *model;              /* of a symbol with fixed sites only; NULL until needed */
    ARRAY(struct lift_calls) calls; /* each entry once */
};

struct lift {
    struct call_event_source *source;
    const struct shape *shape;
    size_t window;
    uint32_t rank;
    size_t most;             /* limit of the model's elements; 0: none */
    uint32_t *entry_of;      /* by site */
    struct lift_site *sites; /* by entry */
    struct lift_symbol *of_site, *of_rule;
    struct series_cursor counts[LOOPS_MAX]; /* of the shape's loops */
    bool eventful[LOOPS_MAX]; /* by loop of the shape: it has events; other loops are not walked */
    /* Repetitions of the sites of the current symbol, site by site: counted in calls, and in expansions of
     * the symbol. */
    struct repetitions *given, *common;
};

static inline struct lift_symbol *lift_symbol_of(const struct lift *l, uint32_t symbol)
{
    return symbol & RULES_REF ? &l->of_rule[symbol & ~RULES_REF] : &l->of_site[l->entry_of[symbol]];
}

static inline struct lift_site *lift_site_of(const struct lift *l, uint32_t site)
{
    assert(l->entry_of[site] < l->shape->entries.n);
    return &l->sites[l->entry_of[site]];
}

/* Does a loop of the shape, with a number below `level` and with events, come after the site? */
bool lift_has_loop(const struct lift *l, uint32_t site, size_t level);
/* Describes all symbols. The sites must be open. */
enum refrain_status lift_describe_symbols(struct lift *l);

#endif
