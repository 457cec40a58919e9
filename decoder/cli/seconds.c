/* SPDX-License-Identifier: BSD-3-Clause */
#include "seconds.h"

#include "src/core/base/log.h"

#include <stdlib.h>

static enum refrain_status parse(const struct options *o, enum option_id id, uint64_t *nanoseconds)
{
    const char *text = options_value(o, id);
    char *end;
    if (!text)
        return REFRAIN_OK;
    const double seconds = strtod(text, &end);
    if ((*text < '0' || *text > '9') || *end || !(seconds < 1e10)) {
        log_error("--%s %s: wanted seconds, like 1.5", options_find(o, id)->spec->name, text);
        return REFRAIN_ERR_USAGE;
    }
    *nanoseconds = (uint64_t)(seconds * 1e9 + 0.5);
    return REFRAIN_OK;
}

enum refrain_status seconds_between(const struct options *o, uint64_t *from, uint64_t *to)
{
    *from = 0;
    *to = UINT64_MAX;
    enum refrain_status status = parse(o, OPTION_FROM, from);
    if (status == REFRAIN_OK)
        status = parse(o, OPTION_TO, to);
    if (status == REFRAIN_OK && *from >= *to) {
        const char *given = options_value(o, OPTION_FROM);
        log_error("--from %s is not before --to %s", given ? given : "0", options_value(o, OPTION_TO));
        status = REFRAIN_ERR_USAGE;
    }
    return status;
}
