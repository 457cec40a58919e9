/* SPDX-License-Identifier: BSD-3-Clause */
/* What is printed of a run's waiting: a page for people, tables, JSON, CSV; and of a metric, what it means. */
#ifndef REFRAIN_WAITS_TEXT_H
#define REFRAIN_WAITS_TEXT_H

#include "decoder/util/output.h"
#include "decoder/trace/symbols.h"
#include "waits.h"

enum waits_by { WAITS_BY_NOTHING, WAITS_BY_FUNCTION, WAITS_BY_SITE, WAITS_BY_RANK };

/* What of it. */
struct waits_view {
    const struct symbols *symbols;
    uint32_t metric; /* and those below; METRIC_NONE: all waiting */
    size_t top;      /* as many lines */
    size_t instances;
};

void waits_put_page(const struct waits *w, const struct waits_view *v, struct bytes *out);
/* By function, site or rank. */
enum refrain_status waits_put_table(const struct waits *w, const struct waits_view *v, enum waits_by by,
                                    bool as_json, struct output *out);
void waits_put_json(const struct waits *w, const struct waits_view *v, struct bytes *out);
/* metric,function,site,rank,value,unit: a line for each value that is not zero. */
enum refrain_status waits_put_csv(const struct waits *w, const struct waits_view *v, struct output *out);
/* All metrics by call path and thread as a profile; the path ends in .cube or .cubex (decoder/cube/cube.h). */
enum refrain_status waits_write_cube(const struct waits *w, const struct symbols *symbols, const char *path);
/* What a metric means; METRIC_NONE: all metrics, as a tree. */
void waits_put_explanation(const struct metrics *m, uint32_t metric, struct bytes *out);

#endif
