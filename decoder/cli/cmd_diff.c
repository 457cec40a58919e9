/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain diff: shows the differences between runs. */
#include "commands.h"

#include "run_source.h"
#include "src/core/base/log.h"

#include <string.h>

enum { TOP = 16, MOST = 1000000 };

/* --by model: not places, but lines of the models. */
static bool is_by_model(const struct options *o)
{
    const char *word = options_value(o, OPTION_BY);
    return word && strcmp(word, "model") == 0;
}

static enum refrain_status read_by(const struct options *o, enum run_places *by)
{
    static const char *const words[PLACES_KINDS] = {"site", "function", "region"};
    const char *word = options_value(o, OPTION_BY);
    *by = PLACES_SITES;
    for (int kind = 0; word && kind < PLACES_KINDS; kind++) {
        if (strcmp(word, words[kind]) == 0)
            *by = (enum run_places)kind;
    }
    if (!word || strcmp(word, words[*by]) == 0 || is_by_model(o))
        return REFRAIN_OK;
    log_error("--by %s: wanted function, site, region or model", word);
    return REFRAIN_ERR_USAGE;
}

enum refrain_status cmd_diff(const struct options *o)
{
    const char *cube = options_value(o, OPTION_OUTPUT);
    struct run_source source = {.wants_models = is_by_model(o), .keeps_profiles = cube};
    struct output out = {0};
    enum run_places by;
    uint64_t top = TOP;
    enum refrain_status status = read_by(o, &by);
    if (status == REFRAIN_OK)
        status = options_number(o, OPTION_TOP, 0, MOST, &top);
    if (status == REFRAIN_OK && cube)
        status = cube_path_check(cube);
    if (status == REFRAIN_OK && cube && options_has(o, OPTION_JSON)) {
        log_error("--output writes a profile for CUBE: leave out --json");
        status = REFRAIN_ERR_USAGE;
    }
    if (status == REFRAIN_OK)
        status = run_source_read(&source, o);
    if (status != REFRAIN_OK)
        return status;
    if (cube) {
        status = run_source_write_cube(&source, cube);
        run_source_free(&source);
        return status;
    }
    status = run_difference_put(&source.difference, by, is_by_model(o) ? 0 : top, options_has(o, OPTION_JSON),
                                &out);
    if (status == REFRAIN_OK && is_by_model(o) && !options_has(o, OPTION_JSON))
        status = run_difference_put_models(&source.difference, &out);
    run_source_free(&source);
    return output_end(&out, status);
}
