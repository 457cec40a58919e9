/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics, as a tree. Each metric is one table row with its texts and functions.
 *
 *     time ─ execution ─ mpi ─ mpi_communication ─ mpi_point2point ─┬─ mpi_latesender ── mpi_latesender_wo …
 *                                                                   └─ mpi_latereceiver
 *
 * A metric's own values come from the profile (the time of all calls of some functions) or from compound
 * events; some metrics have none. The values of a metric include those of its children. Exception: waiting is
 * a part of the time that the parent has already; such children are marked with `part`.
 *
 *     mpi_point2point   12.0 s   time of MPI_Send, MPI_Recv … (own)
 *       mpi_latesender   7.5 s   of these 12.0 s
 *
 * To add a metric, add a row to the table of its family; no other code names it. */
#ifndef REFRAIN_WAIT_METRIC_H
#define REFRAIN_WAIT_METRIC_H

#include "decoder/call/role.h"
#include "wait_event.h"

enum metric_unit { METRIC_SECONDS, METRIC_OCCURRENCES, METRIC_BYTES };
extern const char *const metric_units[]; /* "sec", "occ", "bytes" */

struct wait_search;

struct metric {
    const char *uniq_name; /* as in KOJAK and Scalasca, if they have this metric */
    const char *name;      /* in words */
    const char *parent;    /* uniq_name; NULL: none */
    enum metric_unit unit;
    bool part;
    bool apart;          /* waiting at the start: reported separately from the time that the run loses */
    const char *text;    /* what it means */
    const char *drawing; /* NULL: none */
    const char *source;  /* source of the definition; NULL: defined here */
    const char *blamed;  /* who is waited for: "the sender" */
    const char *itself;  /* why a call waits that waits for no other call; NULL: not said */
    const char *aside;   /* page text after "… of it while", as a part of its parent; NULL: its name */
    /* Does this metric of the profile contain the calls of these functions? If several metrics do, the last
     * one in the order of the tables has them. */
    bool (*has_calls)(const struct role *role);
    /* `events`: the kinds that the metric subscribes to (EVENTS). `take` handles one event; `self` is the
     * metric's number. NULL: adds the call's waiting, if any, and then publishes the event as `publishes`, if
     * set. */
    uint64_t events;
    enum refrain_status (*take)(struct wait_search *s, uint32_t self, const struct wait_event *e);
    enum wait_event_kind publishes; /* 0: nothing, since nobody publishes EVENT_RECEIVE */
    uint32_t which;    /* for rows that differ only in the events' `which`: the value of this row */
    size_t lane_state; /* bytes of state for each lane, zeroed at first (wait_search_state) */
};

/* `which` of waves: `dims` has a bit for each dimension that the wave runs through; in `corner` the bit is
 * set if it comes from the higher end. */
#define METRIC_WAVE(dims, corner) ((uint32_t)(dims) << 8 | (corner))

#define METRICS_MAX 128
#define METRIC_NONE UINT32_MAX

/* All metrics, parents before their children; a metric's number is its index in `items`. */
struct metrics {
    const struct metric *items[METRICS_MAX];
    uint32_t parents[METRICS_MAX]; /* METRIC_NONE: none */
    size_t n;
    struct subscribers {
        uint32_t items[METRICS_MAX];
        size_t n;
    } subscribers[EVENT_KINDS];
};

/* Families of metrics. A row without a name ends each table. */
extern const struct metric metrics_time[], metrics_count[], metrics_imbalance[], patterns_message[],
    patterns_collective[], patterns_run[], patterns_window[], patterns_threads[], patterns_grid[];

void metrics_start(struct metrics *m);
/* Adds the rows of a family. Asserts that each row's parent exists and that no row comes twice. */
void metrics_add(struct metrics *m, const struct metric *family);
/* Adds all families above. */
void metrics_add_all(struct metrics *m);
uint32_t metrics_find(const struct metrics *m, const char *uniq_name); /* METRIC_NONE: there is none */
/* Is the metric waiting, in the tree of `time`, with no waiting above it? The sum of these metrics is the
 * time that a program loses. */
bool metrics_is_cause(const struct metrics *m, uint32_t metric);
/* Is it a cause that counts in the total waiting of the started run? */
bool metrics_is_waiting(const struct metrics *m, uint32_t metric);
/* Is it a cause at or below `below` (METRIC_NONE: any cause), or is it `below` itself and a part of a
 * cause? */
bool metrics_is_wanted(const struct metrics *m, uint32_t metric, uint32_t below);
/* Is `metric` equal to `above` or below it? */
bool metrics_is_below(const struct metrics *m, uint32_t metric, uint32_t above);

#endif
