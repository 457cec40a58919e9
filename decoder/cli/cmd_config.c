/* SPDX-License-Identifier: BSD-3-Clause */
/* refrain config: shows every environment variable and its present value. */
#include "commands.h"

#include "decoder/util/emitter.h"
#include "src/core/base/log.h"
#include "src/core/settings/variable.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "REFRAIN_"

extern char **environ;

/* Warns of unknown variables: a run ignores them silently, even if they are misspelt. */
static void warn_of_unknown(void)
{
    for (char **entry = environ; *entry; entry++) {
        const size_t n = strcspn(*entry, "=");
        bool known = strncmp(*entry, PREFIX, strlen(PREFIX)) != 0;
        for (size_t i = 0; i < VARIABLES && !known; i++)
            known = strlen(variables[i].name) == n && strncmp(variables[i].name, *entry, n) == 0;
        if (!known)
            log_warning("unknown variable %.*s: check its spelling", (int)n, *entry);
    }
}

/* Returns false if the variable has an invalid value. */
static bool put_variable(struct emitter *e, const struct variable *v)
{
    struct variable_value value;
    const char *text = getenv(v->name);
    const bool set = text && *text, fine = !set || variable_parse(v, text, &value);
    emitter_cell_text(e, v->name);
    if (set || *v->standard)
        emitter_cell_text(e, set ? text : v->standard);
    else
        emitter_cell_none(e);
    emitter_cell_text(e, !set ? "default" : fine ? "set" : "no sense");
    emitter_cell_text(e, v->values);
    emitter_cell_text(e, v->meaning);
    if (!fine)
        log_error("%s=%s: wanted %s; the tracer would warn and use %s", v->name, text, v->values,
                  *v->standard ? v->standard : "none");
    return fine;
}

enum refrain_status cmd_config(const struct options *o)
{
    static const struct emitter_column columns[] = {{"variable", "variable", true, 0, 0},
                                                    {"value", "value", true, 0, 0},
                                                    {"state", "", true, 0, 0},
                                                    {"takes", "takes", true, 0, 0},
                                                    {"meaning", "meaning", true, 0, 0}};
    struct output out = {0};
    struct emitter e = emitter_open(&out, options_has(o, OPTION_JSON), 0);
    bool fine = true;
    warn_of_unknown();
    emitter_table(&e, "variables", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < VARIABLES; i++)
        fine = put_variable(&e, &variables[i]) && fine;
    emitter_table_end(&e);
    enum refrain_status status = emitter_close(&e);
    const enum refrain_status written = output_close(&out);
    if (status == REFRAIN_OK)
        status = written;
    return status == REFRAIN_OK && !fine ? REFRAIN_ERR_CHECK : status;
}
