/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a merge; merge.h is the interface, merge.c the order of the steps.
 *
 *     merge_tables   functions, constants, modules, sites, columns: next's numbers become into's
 *     merge_values   rank functions from values
 *     merge_known    pairs of lists that have been merged are not merged again
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
/* Rename the sites and columns of one of next's shapes (skeleton, entries, columns) by the maps. */
enum refrain_status merge_rename_shape(struct shape *s, const struct merge_maps *maps, uint32_t n_sites);

/* Builds a rank function from its values, which are appended in ascending order of ranks. */
struct merge_values {
    uint64_t n;
    bool is_constant, is_offset; /* true if the appended values agree with this form */
    int64_t constant, offset;
    struct series *plain, *relative;
};
enum refrain_status merge_values_start(struct merge_values *v);
enum refrain_status merge_values_append(struct merge_values *v, int64_t value, int64_t rank);
struct rankfn merge_values_finish(struct merge_values *v); /* after at least one value */
void merge_values_stop(struct merge_values *v);
/* Return the rank function that has the same value on all ranks. */
struct rankfn merge_constant(int64_t value, const struct series *ranks);

/* The ranks of two items (groups, for example) that become one. */
struct merge_domain {
    const struct series *ranks, *more;
    bool behind;               /* all of `more` come after all of `ranks`, so values can be appended */
    struct merge_known *known; /* NULL: merged pairs are not remembered */
    uint32_t number;           /* number of the domain in `known` */
};
struct merge_domain merge_domain_of(const struct series *ranks, const struct series *more);
/* Merge f on d->ranks and g on d->more into f on all these ranks. If all of `more` come after d->ranks, the
 * functions are concatenated; otherwise all values are walked. After an error f may only be freed. */
enum refrain_status merge_rankfns(struct rankfn *f, const struct rankfn *g, const struct merge_domain *d);
/* The same for the ranks themselves; *ranks may be shared. */
enum refrain_status merge_ranks(struct series **ranks, const struct series *more);

struct known_domain;
struct known_pair;
/* Remembers pairs of rank functions that have been merged, for a few domains (merge_known.c). */
struct merge_known {
    ARRAY(struct known_domain) domains;
    ARRAY(struct known_pair) pairs;
    struct map by_key; /* → pairs */
};
void merge_known_free(struct merge_known *k);
/* Find or make the domain of these ranks; the ranks become shared. *d is valid until the next call. */
enum refrain_status merge_known_domain(struct merge_known *k, struct series *ranks, struct series *more,
                                       struct merge_domain *d);
/* Replace *ranks, which equal d->ranks, by the ranks of both, shared. */
enum refrain_status merge_known_ranks(const struct merge_domain *d, struct series **ranks);
/* The same as merge_rankfns, for a domain with `known`. */
enum refrain_status merge_known_rankfns(struct rankfn *f, const struct rankfn *g,
                                        const struct merge_domain *d);

/* Two groups match if their rows come in the same order, with the same lengths and the same columns.
 * Groups that match have equal keys. */
uint64_t merge_group_key(const struct group *g);
bool merge_groups_match(const struct group *a, const struct group *b);
/* Merge b into a; they must match. b is used up. */
enum refrain_status merge_groups_join(struct group *a, struct group *b, struct merge_known *known);

/* Merges the times of two groups whose rows become common rows. All timings that are linked by common
 * rows, directly or indirectly, become one timing of the union. */
struct merge_timings {
    uint32_t n_a;     /* number of timings of a */
    uint32_t n;       /* number of timings of a and b together */
    uint32_t *parent; /* disjoint sets over all timings: a's first, then b's */
};
enum refrain_status merge_timings_start(struct merge_timings *m, const struct group *a,
                                        const struct group *b);
/* Return the member (index into `parent`) of a timing of a or b; TIMING_NONE for a row without a timing. */
uint32_t merge_timings_of_a(const struct merge_timings *m, uint32_t timing);
uint32_t merge_timings_of_b(const struct merge_timings *m, uint32_t timing);
/* Two rows with these members become one row. Returns the member of that row. */
uint32_t merge_timings_link(struct merge_timings *m, uint32_t x, uint32_t y);
/* Put the timings of the union into out. Until now the rows of out have members instead of timings; they
 * are replaced. */
enum refrain_status merge_timings_finish(struct merge_timings *m, const struct group *a,
                                         const struct group *b, struct group *out);
void merge_timings_stop(struct merge_timings *m);

/* Try to give both groups one structure. If the union is cheaper than the two groups, set *done and put
 * the union into *out. `calls` is how often each rank called the site; *steps is the number of runs of
 * streams that may still be walked. */
enum refrain_status merge_groups_refine(struct trace *t, const struct group *a, const struct group *b,
                                        uint64_t calls, uint64_t *steps, struct group *out, bool *done);

#endif
