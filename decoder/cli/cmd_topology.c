/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain topology: which grid, torus, tree … the ranks form, by whom they communicate with. */
#include "commands.h"

#include "decoder/topology/view/rank_values.h"
#include "decoder/topology/view/topology_text.h"
#include "loop_source.h"
#include "src/core/base/log.h"
#include "survey_source.h"
#include "topology_source.h"

#include <stdlib.h>
#include <string.h>

/* "1.5,40" */
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
        log_error(
            "--view %s: wanted a distance of planes, 0 to 100 distances of ranks, and an angle of 0 to 90 "
            "degrees, as 2,40",
            value);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

/* Options that would have no effect. */
static enum refrain_status check(const struct options *o)
{
    const bool svg = options_has(o, OPTION_SVG);
    if (svg && (options_has(o, OPTION_JSON) || options_has(o, OPTION_EXPLAIN))) {
        log_error("--svg draws; take --json or --explain without it");
        return REFRAIN_ERR_USAGE;
    }
    if (!svg && (options_has(o, OPTION_COLOR) || options_has(o, OPTION_VIEW))) {
        log_error("--color and --view are for pictures: take --svg, too");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status draw(const struct options *o, const struct survey *survey,
                                struct topology_subject *subject, struct output *out)
{
    struct rank_values values;
    const char *what = options_value(o, OPTION_COLOR);
    enum refrain_status status = rank_values_create(&values, survey->traffic, what ? what : "bytes");
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

/* ---- coordinates that are known -------------------------------------------------------------- */

/* The user's. */
static enum refrain_status read_placement(const struct options *o, const struct traffic *t,
                                          struct placement *p)
{
    const char *sizes = options_value(o, OPTION_TOPOLOGY), *path = options_value(o, OPTION_COORDS);
    enum refrain_status status = sizes ? placement_parse(p, sizes) : REFRAIN_OK;
    if (status == REFRAIN_OK && path)
        return placement_read(p, t, path);
    if (status == REFRAIN_OK && sizes && placement_places(p) < t->n_ranks) {
        log_error("--topology %s: there are %u ranks", sizes, t->n_ranks);
        status = REFRAIN_ERR_USAGE;
    }
    return status == REFRAIN_OK && sizes ? placement_fill(p, t->n_ranks) : status;
}

/* The program's, if the communication agrees with them. */
static enum refrain_status compare_declared(const struct topology_source *s, const struct pattern_library *l,
                                            const struct survey_choice *choice, struct comparisons *out,
                                            struct placement *p)
{
    struct placement given;
    struct graph g;
    enum refrain_status status = traffic_graph(&s->traffic, choice->threshold, choice->by_messages, &g);
    if (status != REFRAIN_OK)
        return status;
    status = comparisons_create(out, &s->traffic, &g, &s->declared, &s->communicators, l, &given);
    graph_free(&g);
    if (status == REFRAIN_OK && p->n_dims == 0)
        *p = given;
    else if (status == REFRAIN_OK)
        placement_free(&given);
    return status;
}

static bool is_one_communicator(const struct matrix_labels *l)
{
    bool one = true;
    for (size_t i = 1; i < l->items.n && one; i++)
        one = l->items.items[i].comm == l->items.items[0].comm;
    return one;
}

/* Of several communicators that have messages. */
static enum refrain_status find_separately(const struct topology_source *s, const struct pattern_library *l,
                                           const struct survey_choice *choice, struct separately *out)
{
    enum refrain_status status = REFRAIN_OK;
    if (s->matrix.labels && !s->comm && !is_one_communicator(s->matrix.labels))
        status = separately_create(out, &s->matrix, &s->communicators, l, choice);
    if (status == REFRAIN_OK && out->classes.n == 1 && out->classes.items[0].comms.n == 1)
        separately_free(out); /* that is all there is */
    return status;
}

/* ---- several patterns ------------------------------------------------------------------------ */

static bool is_whole(const struct survey *s)
{
    bool whole = s->inside.messages == s->traffic->all.messages;
    for (size_t i = 0; i < s->parts.n && whole; i++)
        whole = s->parts.items[i].topology.exact;
    return whole;
}

/* What the topology leaves to be explained. */
static enum refrain_status explain_rest(const struct topology_source *s, const struct pattern_library *l,
                                        const struct survey *survey, struct topology_subject *subject,
                                        struct displacements *beside, struct layers *layers)
{
    enum refrain_status status = REFRAIN_OK;
    if (survey_is_lattice(survey)) {
        status = displacements_create(beside, survey, &s->traffic, true);
        subject->beside = status == REFRAIN_OK ? beside : NULL;
    }
    if (status == REFRAIN_OK && s->matrix.labels && !is_whole(survey)) {
        status = layers_create(layers, &s->matrix, &s->communicators, &s->traffic,
                               s->comm ? &s->comm->comm : NULL, l, &subject->choice);
        subject->layers = status == REFRAIN_OK && layers->items.n > 1 ? layers : NULL;
        subject->labels = &s->labels;
        subject->reader = &s->reader;
    }
    return status;
}

/* ---- phases ---------------------------------------------------------------------------------- */

static enum refrain_status find_phases(const struct options *o, const struct topology_source *s,
                                       const struct pattern_library *l, const struct survey *run,
                                       const struct survey_choice *choice, struct phases *out)
{
    struct loop_source loops = {0};
    struct model model = {0};
    enum refrain_status status = loop_source_read(&loops, o);
    if (status == REFRAIN_OK)
        status = model_create(&model, &loops.groups);
    if (status == REFRAIN_OK)
        status = phases_create(out, &s->reader, &s->definitions, &model, l, run, choice);
    model_free(&model);
    loop_source_free(&loops);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum refrain_status survey_and_print(const struct options *o, const struct topology_source *source,
                                            const struct pattern_library *library,
                                            struct topology_subject *subject)
{
    struct placement placement = {0};
    struct comparisons comparisons = {0};
    struct separately separately = {0};
    struct survey survey = {0};
    struct displacements beside = {0};
    struct layers layers = {0};
    struct phases phases = {0};
    enum refrain_status status = read_placement(o, &source->traffic, &placement);
    if (status == REFRAIN_OK)
        status = compare_declared(source, library, &subject->choice, &comparisons, &placement);
    if (status == REFRAIN_OK)
        status = find_separately(source, library, &subject->choice, &separately);
    if (placement.n_dims > 0)
        subject->choice.given = &placement;
    if (status == REFRAIN_OK)
        status = survey_create(&survey, &source->traffic, library, &subject->choice);
    if (status == REFRAIN_OK)
        status = explain_rest(source, library, &survey, subject, &beside, &layers);
    if (status == REFRAIN_OK && options_has(o, OPTION_PHASES)) {
        status = find_phases(o, source, library, &survey, &subject->choice, &phases);
        subject->phases = &phases;
    }
    subject->comm = source->comm;
    subject->communicators = &source->communicators;
    subject->comparisons = &comparisons;
    subject->separately = &separately;
    if (status == REFRAIN_OK)
        status = print(o, &survey, subject);
    phases_free(&phases);
    layers_free(&layers);
    displacements_free(&beside);
    survey_free(&survey);
    separately_free(&separately);
    array_free(&comparisons.items);
    placement_free(&placement);
    return status;
}

enum refrain_status cmd_topology(const struct options *o)
{
    struct topology_subject subject = {0};
    struct pattern_library library = {0};
    struct topology_source source = {0};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK)
        status = survey_choice_read(&subject.choice, o);
    if (status == REFRAIN_OK)
        status = read_view(o, &subject.view);
    if (status == REFRAIN_OK)
        status = pattern_library_create(&library);
    if (status == REFRAIN_OK && options_has(o, OPTION_PATTERNS))
        status = pattern_library_read(&library, options_value(o, OPTION_PATTERNS));
    if (status == REFRAIN_OK)
        status = topology_source_read(&source, o);
    if (status == REFRAIN_OK)
        status = survey_and_print(o, &source, &library, &subject);
    topology_source_free(&source);
    pattern_library_free(&library);
    return status;
}
