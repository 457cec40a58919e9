/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain model: shows one model of the whole program, made from the loop models of its processes
 * (docs/MODEL.md). */
#include "commands.h"
#include "logical_source.h"

#include "decoder/logical/view/joint_svg.h"
#include "decoder/logical/view/logical_text.h"
#include "decoder/model/model_svg.h"
#include "decoder/model/model_text.h"
#include "src/core/base/log.h"

/* Expands all threads of the rank that --expand names. */
static enum refrain_status put_expanded(const struct model *m, const struct options *o, struct output *out)
{
    uint64_t rank;
    bool any = false;
    enum refrain_status status = options_number(o, OPTION_EXPAND, 0, UINT32_MAX, &rank);
    for (uint32_t i = 0; i < m->processes.n && status == REFRAIN_OK; i++) {
        if (m->processes.items[i].rank != rank)
            continue;
        any = true;
        status = model_put_events(m, i, out);
    }
    if (!any && status == REFRAIN_OK) {
        log_error("--expand %s: there is no such rank", options_value(o, OPTION_EXPAND));
        status = REFRAIN_ERR_USAGE;
    }
    return status;
}

/* Prints each construct separately. */
static enum refrain_status print_constructs(const struct model *m, const struct options *o)
{
    struct output out = {0};
    enum refrain_status status = options_has(o, OPTION_EXPAND)  ? put_expanded(m, o, &out)
                                 : options_has(o, OPTION_JSON)  ? model_put_json(m, &out)
                                 : options_has(o, OPTION_SVG)   ? model_put_svg(m, &out)
                                 : options_has(o, OPTION_PATHS) ? model_put_paths(m, &out)
                                                                : model_put_text(m, &out);
    return output_end(&out, status);
}

static enum refrain_status put_constructs(const struct options *o)
{
    struct loop_source loops = {.limited = !options_has(o, OPTION_EXPAND) && !options_has(o, OPTION_JSON)};
    struct model model = {0};
    enum refrain_status status = loop_source_read(&loops, o);
    if (status == REFRAIN_OK)
        status = model_create(&model, &loops.groups);
    if (status == REFRAIN_OK)
        status = print_constructs(&model, o);
    model_free(&model);
    loop_source_free(&loops);
    return status;
}

static enum refrain_status print_joint(struct logical_source *s, struct joint *joint, const struct options *o)
{
    const struct annotations *notes;
    struct output out = {0};
    enum refrain_status status = logical_source_annotate(s, o, &notes);
    if (status == REFRAIN_OK)
        status =
            (options_has(o, OPTION_SVG) ? joint_put_svg : logical_put_joint)(&s->logical, joint, notes, &out);
    return output_end(&out, status);
}

/* Prints parts that all ranks have in common once. */
static enum refrain_status put_joint(const struct options *o)
{
    struct logical_source source = {0};
    struct joint joint = {0};
    enum refrain_status status = logical_source_read(&source, o);
    if (status == REFRAIN_OK)
        status = joint_create(&joint, &source.logical);
    if (status == REFRAIN_OK)
        status = options_has(o, OPTION_EXPAND) ? logical_source_expand(&source, &joint, o)
                                               : print_joint(&source, &joint, o);
    joint_free(&joint);
    logical_source_free(&source);
    return status;
}

/* Refuses options that would have no effect. */
static enum refrain_status check(const struct options *o, bool constructs)
{
    static const enum option_id of_joint[] = {OPTION_COORDS, OPTION_MODULES, OPTION_PATTERNS,
                                              OPTION_SITES,  OPTION_SIZES,   OPTION_THRESHOLD,
                                              OPTION_TIMES,  OPTION_TOPOLOGY};
    const bool notes =
        options_has(o, OPTION_SITES) || options_has(o, OPTION_SIZES) || options_has(o, OPTION_TIMES);
    if (!constructs && notes && options_has(o, OPTION_EXPAND)) {
        log_error("--expand prints events: leave out --sites, --sizes and --times");
        return REFRAIN_ERR_USAGE;
    }
    for (size_t i = 0; constructs && i < sizeof of_joint / sizeof of_joint[0]; i++) {
        const struct option_value *given = options_find(o, of_joint[i]);
        if (given) {
            log_error("--%s has no effect with --events, --json and --paths", given->spec->name);
            return REFRAIN_ERR_USAGE;
        }
    }
    return REFRAIN_OK;
}

enum refrain_status cmd_model(const struct options *o)
{
    const bool constructs = options_has(o, OPTION_EVENTS) || options_has(o, OPTION_JSON) ||
                            options_has(o, OPTION_PATHS) || o->n_operands == 0;
    const enum refrain_status status = check(o, constructs);
    if (status != REFRAIN_OK)
        return status;
    return constructs ? put_constructs(o) : put_joint(o);
}
