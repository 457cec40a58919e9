/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain logical: shows the run as one program, with directions instead of ranks
 * (docs/LOGICAL.md). */
#include "commands.h"
#include "logical_source.h"

#include "decoder/logical/view/logical_text.h"
#include "src/core/base/log.h"

/* Refuses options that would have no effect. */
static enum refrain_status check(const struct options *o)
{
    if (options_has(o, OPTION_EXPAND) && (options_has(o, OPTION_SITES) || options_has(o, OPTION_SIZES) ||
                                          options_has(o, OPTION_TIMES) || options_has(o, OPTION_JSON))) {
        log_error("--expand prints events: leave out --json, --sites, --sizes and --times");
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

static enum refrain_status print(struct logical_source *s, const struct options *o)
{
    const struct annotations *notes;
    struct output out = {0};
    enum refrain_status status = logical_source_annotate(s, o, &notes);
    if (status == REFRAIN_OK)
        status = options_has(o, OPTION_JSON) ? logical_put_json(&s->logical, notes, &out)
                                             : logical_put_text(&s->logical, notes, &out);
    return output_end(&out, status);
}

enum refrain_status cmd_logical(const struct options *o)
{
    struct logical_source source = {0};
    enum refrain_status status = check(o);
    if (status == REFRAIN_OK)
        status = logical_source_read(&source, o);
    if (status == REFRAIN_OK)
        status = options_has(o, OPTION_EXPAND) ? logical_source_expand(&source, NULL, o) : print(&source, o);
    logical_source_free(&source);
    return status;
}
