/* SPDX-License-Identifier: BSD-3-Clause */
#include "survey_source.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Pairs below this share of the largest one are left out. */
#define THRESHOLD 0.05

enum refrain_status survey_choice_read(struct survey_choice *choice, const struct options *o)
{
    const char *value = options_value(o, OPTION_THRESHOLD);
    char *end;
    *choice = (struct survey_choice){.threshold = THRESHOLD, .by_messages = options_has(o, OPTION_MESSAGES)};
    if (!value)
        return REFRAIN_OK;
    choice->threshold = strtod(value, &end) / 100;
    if (end == value || *end || !(choice->threshold >= 0 && choice->threshold <= 1)) {
        log_error("--threshold %s: wanted per cent of the largest pair, 0 to 100", value);
        return REFRAIN_ERR_USAGE;
    }
    return REFRAIN_OK;
}

enum refrain_status survey_source_identify(struct survey_source *s, const struct options *o)
{
    enum refrain_status status = pattern_library_create(&s->library);
    if (status == REFRAIN_OK && options_has(o, OPTION_PATTERNS))
        status = pattern_library_read(&s->library, options_value(o, OPTION_PATTERNS));
    if (status == REFRAIN_OK)
        status = traffic_create(&s->traffic, &s->matrix);
    return status == REFRAIN_OK ? survey_create(&s->survey, &s->traffic, &s->library, &s->choice) : status;
}

void survey_source_free(struct survey_source *s)
{
    survey_free(&s->survey);
    traffic_free(&s->traffic);
    matrix_free(&s->matrix);
    pattern_library_free(&s->library);
}
