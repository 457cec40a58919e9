/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain diff: shows the differences between runs. */
#include "commands.h"

#include "run_source.h"
#include "src/core/base/log.h"

#include <string.h>

enum { TOP = 16, MOST = 1000000 };

static enum refrain_status read_by(const struct options *o, enum run_places *by)
{
    static const char *const words[PLACES_KINDS] = {"site", "function", "region"};
    const char *word = options_value(o, OPTION_BY);
    *by = PLACES_SITES;
    for (int kind = 0; word && kind < PLACES_KINDS; kind++) {
        if (strcmp(word, words[kind]) == 0)
            *by = (enum run_places)kind;
    }
    if (!word || strcmp(word, words[*by]) == 0)
        return REFRAIN_OK;
    log_error("--by %s: wanted function, site or region", word);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status cmd_diff(const struct options *o)
{
    struct run_source source = {0};
    struct output out = {0};
    enum run_places by;
    uint64_t top = TOP;
    enum refrain_status status = read_by(o, &by);
    if (status == REFRAIN_OK)
        status = options_number(o, OPTION_TOP, 0, MOST, &top);
    if (status == REFRAIN_OK)
        status = run_source_read(&source, o);
    if (status != REFRAIN_OK)
        return status;
    status = run_difference_put(&source.difference, by, top, options_has(o, OPTION_JSON), &out);
    run_source_free(&source);
    return output_end(&out, status);
}
