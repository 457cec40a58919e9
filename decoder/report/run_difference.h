/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs side by side: what takes longer, what is new, what is gone. Runs are in groups. The runs of a group
 * are repetitions of one run. A change is from the first group to the last one.
 *
 *     group A: 1.refrain 2.refrain              group B: 3.refrain
 *     MPI_Recv exchange (halo.c:31)  1.8 1.9 s   0.3 s     -1.55 s, of which runs differ by 0.4 s by chance
 *     MPI_Wait exchange (halo.c:40)              0.2 s     B alone has it
 *
 * Call sites of the same function in the same functions are paired in the order of their lines. If one run
 * has more of them, sites with similar numbers of calls and similar lines are paired. */
#ifndef REFRAIN_RUN_DIFFERENCE_H
#define REFRAIN_RUN_DIFFERENCE_H

#include "decoder/util/json.h"
#include "decoder/util/output.h"
#include "line_pairs.h"
#include "run_profile.h"

/* Statistics of a value over several runs. */
struct run_spread {
    size_t n;
    double mean;
    double deviation; /* sample standard deviation; 0 for one run */
    double least, most;
};

/* The change from the first group to the last. */
struct run_change {
    bool known;
    double from, to;
    bool has_noise;
    double noise; /* 19 of 20 random changes are at most this large */
};

/* Scaling between runs with different numbers of threads. */
enum run_scaling { SCALING_NONE, SCALING_STRONG, SCALING_WEAK, SCALING_NEITHER };

struct run_difference_row {
    size_t first_place; /* of `places`: one for each run; NULL: it does not have it */
    double weight;      /* rows are in the order of it: seconds of change, seconds lost, or of the mean */
};

struct run_difference {
    const struct run_profile *runs;
    const size_t *groups; /* group i is runs[groups[i] … groups[i + 1] - 1] */
    size_t n_runs, n_groups;
    enum run_scaling
        scaling;   /* that of most work: what all threads compute together, or each of them, is the same */
    double growth; /* of what all threads compute together; 1: none */
    struct run_difference_list { /* without MPI_Init, which is no part of the run */
        ARRAY(struct run_difference_row) rows;
        ARRAY(const struct run_place *) places;
    } lists[PLACES_KINDS];
    bool has_models; /* the first run and the last one have models: */
    struct line_pairs model;
};

/* Profiles and groups must outlive the difference. */
enum refrain_status run_difference_create(struct run_difference *d, const struct run_profile *runs,
                                          const size_t *groups, size_t n_groups);
void run_difference_free(struct run_difference *d); /* also of a zeroed struct */

/* ---- of the runs ----------------------------------------------------------------------------- */

bool run_difference_fact(const struct run_difference *d, enum run_fact fact, size_t group,
                         struct run_spread *s);
struct run_change run_difference_fact_change(const struct run_difference *d, enum run_fact fact);
/* Returns the number of threads of the last group divided by that of the first. */
double run_difference_threads(const struct run_difference *d);

/* ---- of a row -------------------------------------------------------------------------------- */

/* NULL: that run does not have it. */
const struct run_place *run_difference_of_run(const struct run_difference *d, enum run_places kind,
                                              const struct run_difference_row *row, size_t run);
/* The place in the group's last run that has it; NULL: none has. */
const struct run_place *run_difference_place(const struct run_difference *d, enum run_places kind,
                                             const struct run_difference_row *row, size_t group);
/* Returns how many runs have it. */
size_t run_difference_runs(const struct run_difference *d, enum run_places kind,
                           const struct run_difference_row *row);
/* Its name in the last run that has it; *moved (may be NULL) is the place in the first one, if its line was
 * another, or else NULL. */
const char *run_difference_name(const struct run_difference *d, enum run_places kind,
                                const struct run_difference_row *row, const struct run_place **moved);
/* Gets a value of a place over the runs of a group. Returns false if it is unknown, or if no run of the group
 * has the place. Runs without the place count as 0. */
bool run_difference_value(const struct run_difference *d, enum run_places kind,
                          const struct run_difference_row *row, enum place_value value, size_t group,
                          struct run_spread *s);
/* Gets the change of a value. A missing place counts as 0. */
struct run_change run_difference_change(const struct run_difference *d, enum run_places kind,
                                        const struct run_difference_row *row, enum place_value value);
/* The same of its time if it scaled as it should: seconds of a thread of the last group. */
double run_difference_ideal(const struct run_difference *d, double from);

/* ---- words ----------------------------------------------------------------------------------- */

/* Writes text with the places of one kind that changed most; or all data as JSON. (run_difference_text.c) */
enum refrain_status run_difference_put(const struct run_difference *d, enum run_places kind, uint64_t top,
                                       bool as_json, struct output *out);
/* Writes the models side by side, as far as they are different. */
enum refrain_status run_difference_put_models(const struct run_difference *d, struct output *out);
/* All, as fields of an object. (run_difference_json.c) */
enum refrain_status run_difference_put_json(const struct run_difference *d, struct json *j);
/* What is most important, a sentence a line, with as many places. (run_difference_words.c) */
void run_difference_put_words(const struct run_difference *d, size_t places, struct bytes *out);
/* "a.refrain is given twice: …", a line; nothing if all are different files. */
void run_difference_put_same_files(const struct run_difference *d, struct bytes *out);
/* Appends the label of a group, such as "B". */
void run_difference_put_label(size_t group, struct bytes *out);
/* "1.234 s", "12.0 %": a value, or with a sign a change of it; of shares in points. */
void run_difference_put_value(double value, enum run_unit unit, bool is_change, struct bytes *out);
/* "MPI_Recv exchange (halo.c:35), was line 31"; of one group also ", in 2 of 3 runs" if others do not have it */
void run_difference_put_name(const struct run_difference *d, enum run_places kind,
                             const struct run_difference_row *row, struct bytes *out);

#endif
