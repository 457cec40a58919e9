/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a program, phases or regions, with their efficiencies:
 *
 *     program_parts_open ──> times.places ──> critical_search.parts ──> times ──> program_parts_put */
#ifndef REFRAIN_PROGRAM_PARTS_H
#define REFRAIN_PROGRAM_PARTS_H

#include "decoder/causes/causes_text.h"
#include "decoder/loops/loop_groups.h"
#include "decoder/util/output.h"
#include "phase_places.h"
#include "phase_rows.h"
#include "region_paths.h"

enum program_parts_by { PARTS_BY_NOTHING, PARTS_BY_PHASE, PARTS_BY_REGION, PARTS_BY_KINDS };
extern const char *const program_parts_words[PARTS_BY_KINDS];

struct program_parts {
    enum program_parts_by by;
    struct wait_places places;
    struct part_times times;
    /* By phase: */
    struct event_templates templates;
    struct loop_groups groups;
    struct model model; /* empty if another one was given */
    struct run_phases phases;
    /* By region: */
    struct region_paths regions;
};

/* *p must stay where it is. The caller frees it, also after an error. */
enum refrain_status program_parts_open(struct program_parts *p, enum program_parts_by by,
                                       const struct reader *r, const struct definitions *d);
/* The same for the phases of a model that is there; it must outlive the parts. */
enum refrain_status program_parts_open_model(struct program_parts *p, const struct model *m,
                                             const struct reader *r, const struct definitions *d);
void program_parts_free(struct program_parts *p); /* also of a zeroed struct */

/* Writes the table, when the search is over. Of phases, text has those `v->top` that take longest; JSON has
 * all. */
enum refrain_status program_parts_put(const struct program_parts *p, const struct causes_view *v,
                                      bool as_json, struct output *out);

/* Adds those rows of phases that text has to an open object, as "phases". */
enum refrain_status program_parts_put_json(const struct program_parts *p, const struct causes_view *v,
                                           struct json *j);

/* Internal: the two tables. */
enum refrain_status phase_table_put(const struct program_parts *p, const struct causes_view *v, bool as_json,
                                    struct output *out);
enum refrain_status region_table_put(const struct program_parts *p, const struct causes_view *v, bool as_json,
                                     struct output *out);

#endif
