/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain topology: identifies the grid, torus, tree … that the ranks form by their
 * communication. */
#include "commands.h"

#include "decoder/stat/statistics.h"
#include "decoder/topology/view/rank_values.h"
#include "decoder/topology/view/topology_text.h"
#include "loop_source.h"
#include "matrix_source.h"
#include "src/core/base/log.h"
#include "survey_source.h"
#include "world_select.h"

#include <stdlib.h>
#include <string.h>

/* Parses "1.5,40". */
static enum refrain_status read_view(const struct options *o, struct arrangement_view *view)
{
    const char *value = options_value(o, OPTION_VIEW);
    char *end;
    if (!value)
        return REFRAIN_OK;
    view->distance = strtod(value, &end);
    if (end != value && *end == ',')
        view->angle = strtod(end + 1, &end);
    if (end == value || *end || !(view->distance >= 0 && view->distance <= 100) ||
        !(view->angle >= 0 && view->angle <= 90)) {
        log_error("--view %s: wanted DISTANCE,ANGLE such as 2,40: 0 to 100 times the distance of ranks, 0 to "
                  "90 degrees",
                  value);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Refuses combinations of options that would have no effect. */
static enum refrain_status check_source(const struct options *o)
{
    const bool elsewhere = options_has(o, OPTION_AT) || options_has(o, OPTION_RMA);
    const bool matrix = options_has(o, OPTION_MATRIX);
    if (options_has(o, OPTION_WINDOW) && !options_has(o, OPTION_AT) && !options_has(o, OPTION_PHASES)) {
        log_error("--window works only with --at or --phases: add one of them");
        return REFRAIN_ERR_USAGE;
    }
    if (matrix && (o->n_operands > 0 || elsewhere || options_has(o, OPTION_COMM))) {
        log_error("--matrix replaces the trace: leave out the trace, --at, --comm and --rma");
        return REFRAIN_ERR_USAGE;
    }
    if (!matrix && o->n_operands == 0) {
        log_error("missing argument: TRACE, or --matrix FILE");
        return REFRAIN_ERR_USAGE;
    }
    if ((matrix || elsewhere || options_has(o, OPTION_COMM)) && options_has(o, OPTION_PHASES)) {
        log_error("--phases does not work with --at, --comm, --matrix and --rma: leave them out");
        return REFRAIN_ERR_USAGE;
    }
    if (elsewhere && options_has(o, OPTION_COMM)) {
        log_error("--comm does not work with --at and --rma: leave them out");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static bool wants_directions(const struct options *o)
{
    return options_has(o, OPTION_SITES) || options_has(o, OPTION_SIZES) || options_has(o, OPTION_TIMES);
}

static enum refrain_status check(const struct options *o)
{
    const bool svg = options_has(o, OPTION_SVG);
    if (svg && (options_has(o, OPTION_JSON) || options_has(o, OPTION_EXPLAIN))) {
        log_error("--svg does not work with --json and --explain: leave them out");
        return REFRAIN_ERR_USAGE;
    }
    if (options_has(o, OPTION_MATRIX) && options_has(o, OPTION_COLOR) &&
        strcmp(options_value(o, OPTION_COLOR), "time") == 0) {
        log_error("--color time does not work with --matrix, which has no times");
        return REFRAIN_ERR_USAGE;
    }
    if (wants_directions(o) &&
        (svg || options_has(o, OPTION_MATRIX) || options_has(o, OPTION_AT) || options_has(o, OPTION_RMA))) {
        log_error(
            "--sites, --sizes and --times do not work with --svg, --at, --matrix and --rma: leave these out");
        return REFRAIN_ERR_USAGE;
    }
    if (!svg && (options_has(o, OPTION_COLOR) || options_has(o, OPTION_VIEW))) {
        log_error("--color and --view work only for pictures: add --svg");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Reads the time that each rank spent in its calls. */
static enum refrain_status read_times(struct rank_values *values, const struct options *o,
                                      const struct traffic *t)
{
    static const struct ranges all = {0};
    struct reader reader;
    struct definitions definitions = {0};
    struct statistics statistics = {0};
    enum refrain_status status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    status = definitions_read(&definitions, &reader);
    if (status == REFRAIN_OK)
        status = statistics_compute(&statistics, &reader, &definitions, &all, STATISTICS_BY_RANK);
    if (status == REFRAIN_OK)
        status = rank_values_reserve(values, t, "seconds in calls", " s");
    for (uint32_t node = 0; node < t->n_ranks && status == REFRAIN_OK; node++) {
        const struct tally *tally = &statistics.ranks[traffic_rank(t, node) - reader.trace.first_rank];
        values->of_rank[node] = (double)tally->time / 1e9;
        if (tally->calls > 0 && !tally->timed) {
            log_error("--color time: the trace has no times of rank %u", traffic_rank(t, node));
            rank_values_free(values);
            status = REFRAIN_ERR_USAGE;
        }
    }
    statistics_free(&statistics);
    definitions_free(&definitions);
    reader_close(&reader);
    return status;
}

static enum refrain_status draw(const struct options *o, const struct survey *survey,
                                struct topology_subject *subject, struct output *out)
{
    struct rank_values values;
    const char *what = options_value(o, OPTION_COLOR);
    enum refrain_status status = what && strcmp(what, "time") == 0
                                     ? read_times(&values, o, survey->traffic)
                                     : rank_values_create(&values, survey->traffic, what ? what : "bytes");
    if (status != REFRAIN_OK)
        return status;
    subject->values = values.of_rank;
    subject->what = values.what;
    subject->unit = values.unit;
    status = topology_put_svg(survey, subject, out);
    rank_values_free(&values);
    return status;
}

static enum refrain_status print(const struct options *o, const struct survey *survey,
                                 struct topology_subject *subject)
{
    const char *path = o->n_operands > 0 ? o->operands[0] : options_value(o, OPTION_MATRIX);
    const char *slash = strrchr(path, '/');
    struct output out = {0};
    enum refrain_status status;
    subject->trace = slash ? slash + 1 : path;
    subject->explain = options_has(o, OPTION_EXPLAIN);
    if (options_has(o, OPTION_SVG))
        status = draw(o, survey, subject, &out);
    else if (options_has(o, OPTION_JSON))
        status = topology_put_json(survey, subject, &out);
    else
        status = topology_put_text(survey, subject, &out);
    return output_end(&out, status);
}

/* ---- several communicators ------------------------------------------------------------------- */

static bool is_one_communicator(const struct matrix_labels *l)
{
    bool one = true;
    for (size_t i = 1; i < l->items.n && one; i++)
        one = l->items.items[i].comm == l->items.items[0].comm;
    return one;
}

/* Finds the topologies of several communicators that carry messages. */
static enum refrain_status find_separately(const struct survey_source *s, struct separately *out)
{
    enum refrain_status status = REFRAIN_OK;
    if (s->matrix.labels && !s->comm && !is_one_communicator(s->matrix.labels))
        status = separately_create(out, &s->matrix, &s->communicators, &s->declared, &s->library, &s->choice);
    if (status == REFRAIN_OK && out->classes.n == 1 && out->classes.items[0].comms.n == 1)
        separately_free(out); /* one communicator: this is the same as the whole */
    return status;
}

/* ---- several patterns ------------------------------------------------------------------------ */

static bool is_whole(const struct survey *s)
{
    bool whole = s->inside.messages == s->traffic->all.messages;
    for (size_t i = 0; i < s->components.n && whole; i++)
        whole = s->components.items[i].topology.exact;
    return whole;
}

/* Finds patterns in the messages that the topology does not explain. */
static enum refrain_status explain_rest(struct survey_source *s, struct topology_subject *subject,
                                        struct displacements *beside, struct layers *layers)
{
    enum refrain_status status = REFRAIN_OK;
    if (survey_is_lattice(&s->survey)) {
        status = displacements_create(beside, &s->survey, &s->traffic, true);
        subject->beside = status == REFRAIN_OK ? beside : NULL;
    }
    if (status == REFRAIN_OK && !is_whole(&s->survey))
        status = survey_source_label(s);
    if (status == REFRAIN_OK && s->matrix.labels && !is_whole(&s->survey)) {
        status = layers_create(layers, &s->matrix, &s->communicators, &s->traffic,
                               s->comm ? &s->comm->comm : NULL, &s->library, &s->choice);
        subject->layers = status == REFRAIN_OK && layers->items.n > 1 ? layers : NULL;
        subject->labels = &s->labels;
        subject->reader = &s->reader;
    }
    return status;
}

/* ---- phases ---------------------------------------------------------------------------------- */

static enum refrain_status find_phases(const struct options *o, const struct survey_source *s,
                                       struct phases *out)
{
    struct loop_source loops = {0};
    struct model model = {0};
    enum refrain_status status = loop_source_read(&loops, o);
    if (status == REFRAIN_OK)
        status = model_create(&model, &loops.groups);
    if (status == REFRAIN_OK)
        status = phases_create(out, &s->reader, &s->definitions, &model, &s->library, &s->survey, &s->choice);
    model_free(&model);
    loop_source_free(&loops);
    return status;
}

/* ---- directions ------------------------------------------------------------------------------ */

/* Reads the times of call sites and their share of the run, which begins after MPI_Init. */
static enum refrain_status read_site_times(const struct survey_source *s, struct site_times **out)
{
    static const struct ranges all = {0};
    struct statistics statistics = {0};
    const struct trace *t = &s->reader.trace;
    struct site_times *times = calloc(t->sites.n + 1, sizeof *times);
    if (!times) {
        log_error("out of memory: times of %zu call sites", t->sites.n);
        return REFRAIN_ERR_MEMORY;
    }
    enum refrain_status status =
        statistics_compute(&statistics, &s->reader, &s->definitions, &all, STATISTICS_BY_SITE);
    double run = status == REFRAIN_OK ? (double)statistics.outside : 0;
    for (size_t i = 0; status == REFRAIN_OK && i < t->sites.n; i++)
        run += statistics.sites[i].is_init ? 0 : (double)statistics.sites[i].time;
    for (size_t i = 0; status == REFRAIN_OK && i < t->sites.n; i++) {
        const struct tally *tally = &statistics.sites[i];
        if (tally->timed && tally->calls > 0 && run > 0)
            times[i] = (struct site_times){true, (double)tally->time / (double)tally->calls,
                                           (double)tally->time / run};
    }
    statistics_free(&statistics);
    *out = times;
    return status;
}

/* The caller frees the results in any case. */
static enum refrain_status find_directions(const struct options *o, struct survey_source *s,
                                           struct directions *d, struct symbols *symbols,
                                           struct site_times **times)
{
    const int64_t *comm = s->comm ? &s->comm->comm : NULL;
    d->by_site = options_has(o, OPTION_SITES) || options_has(o, OPTION_TIMES);
    d->sizes = options_has(o, OPTION_SIZES);
    d->n_dims = survey_is_lattice(&s->survey) ? s->survey.components.items[0].topology.best.n_dims : 0;
    enum refrain_status status = survey_source_label(s);
    if (status == REFRAIN_OK && s->matrix.labels)
        status = displacements_of_senders(&d->sums, &s->survey, &s->matrix, comm, d->by_site);
    if (status == REFRAIN_OK && d->by_site)
        status = symbols_open(symbols, &s->reader.trace, options_value(o, OPTION_MODULES));
    if (status == REFRAIN_OK && d->by_site) {
        d->symbols = symbols;
        status = symbols_look_up_frames(symbols);
    }
    if (status == REFRAIN_OK && options_has(o, OPTION_TIMES))
        status = read_site_times(s, times);
    d->times = *times;
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum refrain_status explain_and_print(const struct options *o, struct survey_source *source,
                                             struct topology_subject *subject)
{
    struct separately separately = {0};
    struct displacements beside = {0};
    struct layers layers = {0};
    struct phases phases = {0};
    struct directions directions = {0};
    struct symbols symbols = {0};
    struct site_times *times = NULL;
    enum refrain_status status = find_separately(source, &separately);
    if (status == REFRAIN_OK)
        status = explain_rest(source, subject, &beside, &layers);
    if (status == REFRAIN_OK && options_has(o, OPTION_PHASES)) {
        status = find_phases(o, source, &phases);
        subject->phases = &phases;
    }
    if (status == REFRAIN_OK && wants_directions(o)) {
        status = find_directions(o, source, &directions, &symbols, &times);
        subject->directions = &directions;
        subject->reader = &source->reader;
    }
    subject->choice = source->choice;
    subject->comm = source->comm;
    subject->communicators = &source->communicators;
    subject->comparisons = &source->comparisons;
    subject->separately = &separately;
    if (status == REFRAIN_OK)
        status = print(o, &source->survey, subject);
    free(times);
    symbols_close(&symbols);
    displacements_free(&directions.sums);
    phases_free(&phases);
    layers_free(&layers);
    displacements_free(&beside);
    separately_free(&separately);
    return status;
}

enum refrain_status cmd_topology(const struct options *o)
{
    struct topology_subject subject = {0};
    struct survey_source source = {0};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK)
        status = check_source(o);
    if (status == REFRAIN_OK)
        status = read_view(o, &subject.view);
    if (status == REFRAIN_OK)
        status = survey_source_read(&source, o);
    if (status != REFRAIN_OK)
        return status;
    if (source.traffic.all.messages == 0)
        status = matrix_source_hint(o);
    if (status == REFRAIN_OK)
        status = explain_and_print(o, &source, &subject);
    survey_source_free(&source);
    return status;
}
