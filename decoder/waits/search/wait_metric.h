/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics: what is measured, as a tree. Each is one row, with all that there is to say and to do about it.
 *
 *     time ─ execution ─ mpi ─ mpi_communication ─ mpi_point2point ─┬─ mpi_latesender ── mpi_latesender_wo …
 *                                                                   └─ mpi_latereceiver
 *
 * A row's own values come from the profile (the time of all calls of some functions), or from compound events,
 * or there are none. A metric's values are its own and those of its children; but waiting is a part of the time that
 * the metric above has anyway: `part`.
 *
 *     mpi_point2point   12.0 s   time of MPI_Send, MPI_Recv … (own)
 *       mpi_latesender   7.5 s   of these 12.0 s
 *
 * To add one, add its row to the table of its family; nothing else names it. */
#ifndef REFRAIN_WAIT_METRIC_H
#define REFRAIN_WAIT_METRIC_H

#include "decoder/call/role.h"
#include "wait_event.h"

enum metric_unit { METRIC_SECONDS, METRIC_OCCURRENCES, METRIC_BYTES };
extern const char *const metric_units[]; /* "sec", "occ", "bytes" */

struct wait_search;

struct metric {
    const char *uniq_name; /* as in KOJAK and Scalasca, if it is there */
    const char *name;      /* in words */
    const char *parent;    /* uniq_name; NULL: none */
    enum metric_unit unit;
    bool part;
    bool apart;          /* waiting that is said apart from what the run loses: it is the start's */
    const char *text;    /* what it means */
    const char *drawing; /* NULL: none */
    const char *source;  /* where the definition is from; NULL: nowhere else */
    const char *blamed;  /* of waiting, for whom: "the sender" */
    const char *
        aside; /* what the page says of it as a part of the metric above: "… of it while" this; NULL: its name */
    /* Of the profile: does it have the calls of such functions? The first in the order of the tables that says so
     * has them. */
    bool (*has_calls)(const struct role *role);
    /* Of events: those that it subscribes to, and what it does with one. NULL: the call's waiting is added, if there is any,
     * and then `publishes` is told, if there is one. `self` is its number. */
    uint32_t events;
    enum refrain_status (*take)(struct wait_search *s, uint32_t self, const struct wait_event *e);
    enum wait_event_kind publishes; /* 0: nothing, since nobody publishes EVENT_RECEIVE */
    uint32_t which;    /* of a family of rows that differ in what an event says it is: this one */
    size_t lane_state; /* bytes that it keeps of each lane, from zeros on (wait_search_state) */
};

/* `which` of waves: the dimensions that they run through; a bit for each, set if it comes from its higher end. */
#define METRIC_WAVE(dims, corner) ((uint32_t)(dims) << 8 | (corner))

#define METRICS_MAX 128
#define METRIC_NONE UINT32_MAX

/* All metrics, parents before their children; numbers are places in it. */
struct metrics {
    const struct metric *items[METRICS_MAX];
    uint32_t parents[METRICS_MAX]; /* METRIC_NONE: none */
    size_t n;
    struct subscribers {
        uint32_t items[METRICS_MAX];
        size_t n;
    } subscribers[EVENT_KINDS];
};

/* Families, each ended by a row without a name. */
extern const struct metric metrics_time[], metrics_count[], metrics_imbalance[], patterns_message[],
    patterns_collective[], patterns_run[], patterns_window[], patterns_grid[];

void metrics_start(struct metrics *m);
/* A family's rows. What has no parent there, or stands twice, is a fault of the table: an assertion. */
void metrics_add(struct metrics *m, const struct metric *family);
/* All families above. */
void metrics_add_all(struct metrics *m);
uint32_t metrics_find(const struct metrics *m, const char *uniq_name); /* METRIC_NONE: there is none */
/* Is it waiting, which is in the tree of all time, and above it is none? What a program loses is the sum of these. */
bool metrics_is_cause(const struct metrics *m, uint32_t metric);
/* Is it a cause that counts for all waiting, once the run has started? */
bool metrics_is_waiting(const struct metrics *m, uint32_t metric);
/* Is it one of the causes at or below `below` (METRIC_NONE: of all), or `below` itself, as a part of a cause? */
bool metrics_is_wanted(const struct metrics *m, uint32_t metric, uint32_t below);
/* Is `metric` below `above`, or that itself? */
bool metrics_is_below(const struct metrics *m, uint32_t metric, uint32_t above);

#endif
