/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain otf2: writes a trace as an OTF2 archive. */
#include "commands.h"

#include "decoder/otf2/otf2_export.h"
#include "decoder/times/timestamps.h"
#include "seconds.h"
#include "src/core/base/log.h"
#include "world_select.h"

#include <string.h>

static enum refrain_status read_request(struct otf2_request *request, const struct options *o)
{
    const char *compat = options_value(o, OPTION_COMPAT);
    request->directory = options_value(o, OPTION_OUTPUT);
    request->synthetic = options_has(o, OPTION_SYNTHETIC_TIME);
    request->clock = options_value(o, OPTION_CLOCK);
    request->compat = compat != NULL;
    if (!request->directory) {
        log_error("missing option: --output DIR, a directory to create");
        return REFRAIN_ERR_USAGE;
    }
    if (compat && strcmp(compat, "2") != 0) {
        log_error("--otf2-compat %s: wanted 2", compat);
        return REFRAIN_ERR_USAGE;
    }
    return seconds_between(o, &request->from, &request->to);
}

enum refrain_status cmd_otf2(const struct options *o)
{
    struct reader reader;
    struct ranges ranks = {0};
    struct definitions definitions = {0};
    struct symbols symbols = {0};
    struct otf2_request request = {.ranks = &ranks};

    enum refrain_status status = read_request(&request, o);
    if (status == REFRAIN_OK)
        status = world_open(&reader, o);
    if (status != REFRAIN_OK)
        return status;
    if ((status = timestamps_check(&reader, request.synthetic)) == REFRAIN_OK &&
        (status = ranges_parse(&ranks, options_value(o, OPTION_RANK))) == REFRAIN_OK &&
        (status = ranges_check(&ranks, &reader.trace)) == REFRAIN_OK &&
        (status = definitions_read(&definitions, &reader)) == REFRAIN_OK &&
        (status = symbols_open(&symbols, &reader.trace, options_value(o, OPTION_MODULES))) == REFRAIN_OK &&
        (status = symbols_look_up_frames(&symbols)) == REFRAIN_OK)
        status = otf2_export(&request, &reader, &definitions, &symbols);
    symbols_close(&symbols);
    definitions_free(&definitions);
    ranges_free(&ranks);
    reader_close(&reader);
    return status;
}
