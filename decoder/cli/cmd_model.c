/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain model: one model of the whole program, from the loop models of its processes (docs/MODEL.md). */
#include "commands.h"

#include "decoder/model/model_svg.h"
#include "decoder/model/model_text.h"
#include "loop_source.h"
#include "src/core/base/log.h"

/* All processes of the rank that --expand names. */
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

static enum refrain_status print(const struct model *m, const struct options *o)
{
    struct output out = {0};
    enum refrain_status status = options_has(o, OPTION_EXPAND)  ? put_expanded(m, o, &out)
                                 : options_has(o, OPTION_JSON)  ? model_put_json(m, &out)
                                 : options_has(o, OPTION_SVG)   ? model_put_svg(m, &out)
                                 : options_has(o, OPTION_PATHS) ? model_put_paths(m, &out)
                                                                : model_put_text(m, &out);
    const enum refrain_status written = output_close(&out);
    return status == REFRAIN_OK ? written : status;
}

enum refrain_status cmd_model(const struct options *o)
{
    struct loop_source loops = {0};
    struct model model = {0};
    enum refrain_status status = loop_source_read(&loops, o);
    if (status == REFRAIN_OK)
        status = model_create(&model, &loops.groups);
    if (status == REFRAIN_OK)
        status = print(&model, o);
    model_free(&model);
    loop_source_free(&loops);
    return status;
}
