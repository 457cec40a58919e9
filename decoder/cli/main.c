/* SPDX-License-Identifier: BSD-3-Clause */
/* The refrain command. configure defines PACKAGE_VERSION. */
#include "decoder/processes/processes.h"
#include "decoder/processes/time_server.h"
#include "decoder/trace/reader.h"
#include "decoder/util/near_word.h"
#include "decoder/util/text.h"
#include "options.h"
#include "src/core/base/log.h"
#include "src/core/settings/launched_rank.h"

#include <stdio.h>
#include <string.h>

/* A wrong option is usually wrong on all ranks of a job; they start within this time. */
#define SHARE_MS 1000

static void put_overview(const struct command *none, struct output *out)
{
    (void)none;
    command_overview(out);
}

static void put_version(const struct command *none, struct output *out)
{
    (void)none;
    text_put(&out->text, "refrain " PACKAGE_VERSION "\n");
}

/* Prints output of main itself. */
static enum refrain_status print(void (*put)(const struct command *, struct output *),
                                 const struct command *command)
{
    struct output out = {0};
    put(command, &out);
    return output_close(&out);
}

static enum refrain_status obey(const struct command *command, int argc, char **argv)
{
    struct options options;
    enum refrain_status status = options_parse(&options, command, argc, argv);
    if (status != REFRAIN_OK)
        return status;
    status = options_has(&options, OPTION_HELP) ? print(command_help, command) : command->run(&options);
    options_free(&options);
    return status;
}

/* Obeys the command line, or helps the process that does. */
static enum refrain_status run(const struct command *command, int argc, char **argv)
{
    static char context[32];
    enum processes_role role = PROCESSES_ALONE;
    enum refrain_status status = REFRAIN_OK;
    snprintf(context, sizeof context, " %s", command->name);
    log_set_context(context);
    if (launched_rank() >= 0)
        log_share(SHARE_MS);
    if (command->shares)
        status = processes_start(command->name, &role);
    if (status == REFRAIN_OK && (role == PROCESSES_ALONE || role == PROCESSES_FIRST))
        status = obey(command, argc, argv);
    else if (status == REFRAIN_OK && role == PROCESSES_HELPER)
        status = time_server_run(processes_messenger());
    return processes_end(status);
}

/* The word may be a misspelt command. */
static void tell_unknown(const char *word)
{
    size_t least = NEAR_WORD_NONE;
    const char *near = NULL;
    for (const struct command *c = commands; c->name; c++) {
        const size_t apart = near_word_distance(c->name, word);
        if (apart < least) {
            least = apart;
            near = c->name;
        }
    }
    log_error("unknown command %s%s%s (see refrain --help)", word, near ? "; maybe " : "", near ? near : "");
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    const struct command *command = word ? command_find(word) : NULL;

    if (command)
        return reader_exit(run(command, argc - 1, argv + 1));
    if (word && strcmp(word, "help") == 0 && argc > 2) {
        word = argv[2];
        if ((command = command_find(word)))
            return reader_exit(print(command_help, command));
    } else if (word &&
               (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)) {
        return reader_exit(print(put_overview, NULL));
    } else if (word && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)) {
        return reader_exit(print(put_version, NULL));
    }
    if (word)
        tell_unknown(word);
    else
        log_error("missing command (see refrain --help)");
    return 2;
}
