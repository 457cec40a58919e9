/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a run that is compared with other runs: facts of the whole run, and the costs of places. It
 * remains valid when the trace is closed.
 *
 *     sites      MPI_Recv exchange (halo.c:31)      time 1.8 s, waiting 1.2 s, calls 4000, …
 *     functions  MPI_Recv
 *     regions    smooth                             its own, without the regions inside
 *
 * Times are the mean of a thread: numbers of ranks may differ. Places of two runs that have the same key may
 * be the same place; that of a call site is its MPI function and the functions that call it, without lines,
 * which move when a program is changed. */
#ifndef REFRAIN_RUN_PROFILE_H
#define REFRAIN_RUN_PROFILE_H

#include "decoder/util/text_table.h"
#include "report.h"

enum run_unit { UNIT_NUMBER, UNIT_BYTES, UNIT_SECONDS, UNIT_SHARE /* 0 … 1 */ };

enum run_fact {
    FACT_RANKS,
    FACT_RUN,
    FACT_INIT,
    FACT_COMPUTATION,
    FACT_MPI,
    FACT_WAITING,
    FACT_EFFICIENCY,
    FACT_BALANCE,
    FACT_COMMUNICATION,
    FACT_CALLS,
    FACT_MESSAGES,
    FACT_BYTES,
    FACT_SENT,
    FACT_RECEIVED,
    FACTS
};

enum run_places { PLACES_SITES, PLACES_FUNCTIONS, PLACES_REGIONS, PLACES_KINDS };

enum place_value { PLACE_TIME, PLACE_WAITING, PLACE_CALLS, PLACE_SENT, PLACE_RECEIVED, PLACE_VALUES };

/* Names of JSON fields, and names for text. */
struct run_quantity {
    const char *key, *what;
    enum run_unit unit;
};
extern const struct run_quantity run_facts[FACTS], place_values[PLACE_VALUES];
extern const char *const run_places_keys[PLACES_KINDS];

struct run_place {
    uint32_t key, name; /* texts of the profile */
    uint64_t line;      /* the order of places with the same key: of the source, … */
    bool has_line;      /* … or an address where that is not known */
    bool is_init;       /* MPI_Init, which is apart: no part of the run */
    double values[PLACE_VALUES];
};

struct run_profile {
    char *file, *program;   /* without its folder and arguments; NULL: not known */
    uint64_t device, inode; /* of the file; 0: not known */
    uint32_t ranks, threads;
    bool cut_off;
    bool has_means; /* the trace has mean times, but no times of single calls */
    bool knows[FACTS];
    double facts[FACTS];
    struct text_table texts;
    struct bytes model; /* lines of run_model.h; empty: the report has no model, or it is too long */
    struct run_place_list {
        ARRAY(struct run_place) items;
        bool knows[PLACE_VALUES];
    } places[PLACES_KINDS];
};

enum refrain_status run_profile_create(struct run_profile *p, const struct report *r);
void run_profile_free(struct run_profile *p); /* also of a zeroed struct */

static inline const char *run_place_name(const struct run_profile *p, const struct run_place *place)
{
    return text_table_at(&p->texts, place->name);
}

static inline const char *run_place_key(const struct run_profile *p, const struct run_place *place)
{
    return text_table_at(&p->texts, place->key);
}

#endif
