/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a merge; merge.h is the interface, merge.c the order of the steps.
 *
 *     merge_tables   functions, constants, modules, sites, columns: next's numbers become into's
 *     merge_values   rank functions from values
 *     merge_known    what has been merged is not merged again
 *     merge_groups   groups of the same structure become one
 *     merge_refine   groups that differ by coincidence get a structure that both have
 *     merge_finish   one form for every rank function */
#ifndef REFRAIN_MERGE_PARTS_H
#define REFRAIN_MERGE_PARTS_H

#include "merge.h"

/* Number in next -> number in into. */
struct merge_maps {
    uint32_t *functions, *sites, *columns;
};

/* Unite next's tables with into's, and renumber all of next's sites and columns. On an error there is nothing
 * to free. */
enum refrain_status merge_unite_tables(struct trace *into, struct trace *next, struct merge_maps *maps);
void merge_maps_free(struct merge_maps *maps);
/* Rename next's shapes (skeletons, entries, columns) by the maps. */
enum refrain_status merge_rename_shape(struct shape *s, const struct merge_maps *maps, uint32_t n_sites);

/* Building a rank function from its values, one rank after the other in ascending order. */
struct merge_values {
    uint64_t n;
    bool is_constant, is_offset; /* so far */
    int64_t constant, offset;
    struct series *plain, *relative;
};
enum refrain_status merge_values_start(struct merge_values *v);
enum refrain_status merge_values_append(struct merge_values *v, int64_t value, int64_t rank);
struct rankfn merge_values_finish(struct merge_values *v); /* of at least one value */
void merge_values_stop(struct merge_values *v);
/* The same value on all ranks. */
struct rankfn merge_constant(int64_t value, const struct series *ranks);

/* The ranks of two things that become one. */
struct merge_domain {
    const struct series *ranks, *more;
    bool behind;               /* all of `more` come behind all of `ranks` */
    struct merge_known *known; /* NULL: nothing is remembered */
    uint32_t number;           /* in it */
};
struct merge_domain merge_domain_of(const struct series *ranks, const struct series *more);
/* f on d->ranks and g on d->more become f on all of them, wherever the ranks lie. Concatenation if `more`
 * comes behind, otherwise all values are gone through. After an error f may only be freed. */
enum refrain_status merge_rankfns(struct rankfn *f, const struct rankfn *g, const struct merge_domain *d);
/* The same for ranks themselves; *ranks may be shared. */
enum refrain_status merge_ranks(struct series **ranks, const struct series *more);

struct known_domain;
struct known_pair;
/* Pairs of rank functions that have been merged in a few domains, see merge_known.c. */
struct merge_known {
    ARRAY(struct known_domain) domains;
    ARRAY(struct known_pair) pairs;
    struct map by_key; /* → pairs */
};
void merge_known_free(struct merge_known *k);
/* The domain of these ranks, which are shared from now on. It holds until the next call. */
enum refrain_status merge_known_domain(struct merge_known *k, struct series *ranks, struct series *more,
                                       struct merge_domain *d);
/* *ranks, equal to d->ranks, become those of both, shared. */
enum refrain_status merge_known_ranks(const struct merge_domain *d, struct series **ranks);
/* merge_rankfns in a domain with `known`. */
enum refrain_status merge_known_rankfns(struct rankfn *f, const struct rankfn *g,
                                        const struct merge_domain *d);

/* Do the rows of two groups come in the same order, with the same lengths and the same columns? Then the keys
 * are equal. */
uint64_t merge_group_key(const struct group *g);
bool merge_groups_match(const struct group *a, const struct group *b);
/* a becomes a and b, which match. b is used up. */
enum refrain_status merge_groups_join(struct group *a, struct group *b, struct merge_known *known);

/* Times of two groups whose rows become common rows: a timing of the union for each set of timings that rows
 * link, directly or through others. */
struct merge_timings {
    uint32_t n_a, n;  /* timings of a; of a and b together */
    uint32_t *parent; /* disjoint sets over them: a's first, then b's */
};
enum refrain_status merge_timings_start(struct merge_timings *m, const struct group *a,
                                        const struct group *b);
/* The member for a timing of a or b; TIMING_NONE for a row that has none. */
uint32_t merge_timings_of_a(const struct merge_timings *m, uint32_t timing);
uint32_t merge_timings_of_b(const struct merge_timings *m, uint32_t timing);
/* Two rows with these members become one row: its member. */
uint32_t merge_timings_link(struct merge_timings *m, uint32_t x, uint32_t y);
/* The union's timings into out, whose rows have members as their timings so far. */
enum refrain_status merge_timings_finish(struct merge_timings *m, const struct group *a,
                                         const struct group *b, struct group *out);
void merge_timings_stop(struct merge_timings *m);

/* Try to give both groups one structure, and put the union of them into *out if that is cheaper; *done tells.
 * `calls` is how often each rank called the site; *steps is how many runs of streams may still be walked. */
enum refrain_status merge_groups_refine(struct trace *t, const struct group *a, const struct group *b,
                                        uint64_t calls, uint64_t *steps, struct group *out, bool *done);

#endif
