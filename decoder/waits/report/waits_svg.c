/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows a metric, or all waiting, as colours of the ranks in a picture of their topology. */
#include "decoder/topology/view/topology_text.h"
#include "decoder/util/text.h"
#include "src/core/base/log.h"
#include "waits_text.h"

#include <math.h>
#include <stdlib.h>

/* Rounds to four significant digits. */
static double rounded(double value)
{
    const double scale = value > 0 ? pow(10, 3 - floor(log10(value))) : 1;
    return round(value * scale) / scale;
}

static void find_values(const struct waits *w, const struct waits_view *v, uint64_t *by_lane, double *of_rank)
{
    const struct wait_lanes *l = &w->search.lanes;
    const bool seconds = v->metric == METRIC_NONE || w->metrics.items[v->metric]->unit == METRIC_SECONDS;
    for (uint32_t i = 0; i < w->metrics.n; i++) {
        if (v->metric == METRIC_NONE ? metrics_is_waiting(&w->metrics, i) : i == v->metric)
            wait_report_add_lanes(&w->search, i, WAIT_ALL_SITES, by_lane);
    }
    for (uint32_t i = 0; i < l->n_ranks; i++) {
        const double value = (double)wait_report_of_rank(&w->search, by_lane, l->first_rank + i);
        of_rank[i] = seconds ? rounded(value * 1e-9) : value;
    }
}

enum refrain_status waits_put_svg(const struct waits *w, const struct waits_view *v, const char *trace,
                                  struct output *out)
{
    const struct metric *row = v->metric == METRIC_NONE ? NULL : w->metrics.items[v->metric];
    struct bytes title = {0};
    uint64_t *by_lane = calloc(w->search.lanes.n + 1, sizeof *by_lane);
    double *of_rank = calloc(w->search.lanes.n_ranks + (size_t)1, sizeof *of_rank);
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    if (v->topology->survey->components.n == 0) {
        log_error("--svg: no process sends a message to another one, so there is no topology to draw");
        status = REFRAIN_ERR_USAGE;
    } else if (by_lane && of_rank) {
        find_values(w, v, by_lane, of_rank);
        text_printf(&title, "%s in %s", row ? row->name : "waiting", trace);
        text_putc(&title, '\0');
        status = topology_put_svg(
            v->topology->survey,
            &(struct topology_subject){
                .title = title.failed ? trace : (const char *)title.data,
                .values = of_rank,
                .what = row && row->unit != METRIC_SECONDS ? "of each rank" : "time of each rank",
                .unit = !row || row->unit == METRIC_SECONDS ? " s"
                        : row->unit == METRIC_BYTES         ? " B"
                                                            : "",
            },
            out);
    } else {
        log_error("out of memory: %u ranks", w->search.lanes.n_ranks);
    }
    bytes_free(&title);
    free(by_lane);
    free(of_rank);
    return status;
}
