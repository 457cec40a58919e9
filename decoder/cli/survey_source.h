/* SPDX-License-Identifier: BSD-3-Clause */
/* The topologies that a command is about. */
#ifndef REFRAIN_SURVEY_SOURCE_H
#define REFRAIN_SURVEY_SOURCE_H

#include "decoder/topology/survey/survey.h"
#include "options.h"

struct survey_source {
    struct survey_choice choice;
    struct matrix matrix; /* the caller's to read */
    struct pattern_library library;
    struct traffic traffic;
    struct survey survey;
};

/* By --threshold and --messages. */
enum refrain_status survey_choice_read(struct survey_choice *choice, const struct options *o);
/* Of the matrix, by the choice and by --patterns. To be freed in any case. */
enum refrain_status survey_source_identify(struct survey_source *s, const struct options *o);
void survey_source_free(struct survey_source *s); /* also of a zeroed struct */

#endif
