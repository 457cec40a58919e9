/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a run's waiting: a page of text, tables, JSON, CSV; and the explanations of metrics. */
#ifndef REFRAIN_WAITS_TEXT_H
#define REFRAIN_WAITS_TEXT_H

#include "decoder/causes/reasons/removals.h"
#include "decoder/trace/endings.h"
#include "decoder/trace/hosts.h"
#include "decoder/trace/symbols.h"
#include "decoder/util/json.h"
#include "decoder/util/output.h"
#include "waits.h"
#include "waits_topology.h"

struct cube_data; /* decoder/cube/cube_data.h */

/* What to print. */
struct waits_view {
    const struct symbols *symbols;
    const struct hosts *hosts;     /* NULL: not known */
    const struct endings *endings; /* of a run that was cut off; NULL: it was not */
    const struct waits_topology *topology;
    uint32_t metric; /* and those below; METRIC_NONE: all waiting */
    size_t top;      /* as many lines */
    double least;    /* a finding below this share of the whole is not shown, except for the first one */
    size_t instances;
    const struct delays *delays; /* why they wait; NULL: that is not known */
    const struct removals
        *removals; /* and what the run would take without that, of the first findings; NULL: not known */
};

/* Of the findings that are shown; v->delays are those of *c. To be freed. */
enum refrain_status waits_find_removals(struct removals *out, const struct waits *w,
                                        const struct waits_view *v, struct critical_search *c);

/* How many findings a page shows, the most expensive ones. */
size_t waits_shown(const struct waits *w, const struct waits_view *v);
void waits_put_page(const struct waits *w, const struct waits_view *v, struct bytes *out);
/* Why ranks wait, of all waiting: who computes longer each time, a line (regular.h); then, if there are several
 * findings, the heading and a line for each reason. `before` comes before all that. And members of the open object,
 * "regular" and "reasons". Nothing if v->delays are not known, or if a metric is selected. */
#define WAITS_MAIN "The main reasons, and how much of all waiting each explains:\n"
void waits_put_main(const struct waits *w, const struct waits_view *v, const char *before,
                    const char *heading, struct bytes *out);
bool waits_put_main_json(const struct waits *w, const struct waits_view *v, struct json *j);
/* Parts of the page, nothing where there is nothing to say: before which calls computing is uneven, and what
 * the refills of pipelines cost. */
void waits_put_imbalance(const struct waits *w, const struct waits_view *v, struct bytes *out);
void waits_put_refills(const struct waits *w, const struct waits_view *v, struct bytes *out);
void waits_put_json(const struct waits *w, const struct waits_view *v, struct bytes *out);
/* "292.1 ms 62.1 % wait at N x N in MPI_Allreduce at solve (solve.c:31), ranks 1-3, …": one of the causes. */
void waits_put_cause(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                     struct bytes *out);
/* Lines of the page below that, and members of the open object: "order", null if receives are in no wrong order,
 * "because", null if no rank causes the waiting, and "also". Nothing if v->delays are not known. `said`: what the
 * page has said before. */
void waits_put_reason(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                      struct reasons_said *said, struct bytes *out);
bool waits_put_reason_json(const struct waits *w, const struct waits_view *v, const struct wait_cause *c,
                           struct json *j);
/* metric,function,site,rank,value,unit: a line for each value that is not zero. */
enum refrain_status waits_put_csv(const struct waits *w, const struct waits_view *v, struct output *out);
/* The ranks on their topology, coloured by the metric; `trace` is its name. */
enum refrain_status waits_put_svg(const struct waits *w, const struct waits_view *v, const char *trace,
                                  struct output *out);
/* All metrics by call path and thread as a profile; the path ends in .cube or .cubex
 * (decoder/cube/cube.h). */
enum refrain_status waits_write_cube(const struct waits *w, const struct waits_view *v, const char *path);
/* The same as data that outlive the trace, without topologies; `out` must not move. */
enum refrain_status waits_copy_cube(const struct waits *w, const struct symbols *s, struct cube_data *out);
/* What a metric means; METRIC_NONE: all metrics, as a tree. */
void waits_put_explanation(const struct metrics *m, uint32_t metric, struct bytes *out);
/* "mpi_latesender, mpi_latesender_wo": metrics that a word may have meant; nothing if none is near. */
void waits_put_near(const struct metrics *m, const char *word, struct bytes *out);

#endif
