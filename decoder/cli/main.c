/* SPDX-License-Identifier: BSD-3-Clause */
/* The refrain command. configure defines PACKAGE_VERSION. */
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

/* Prints output of main itself. */
static int print(void (*put)(const struct command *, struct output *), const struct command *command)
{
    struct output out = {0};
    put(command, &out);
    return reader_exit(output_close(&out));
}

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

static int run(const struct command *command, int argc, char **argv)
{
    static char context[32];
    struct options options;
    snprintf(context, sizeof context, " %s", command->name);
    log_set_context(context);
    if (launched_rank() >= 0)
        log_share(SHARE_MS);
    enum refrain_status status = options_parse(&options, command, argc, argv);
    if (status != REFRAIN_OK)
        return reader_exit(status);
    const int result = options_has(&options, OPTION_HELP) ? print(command_help, command)
                                                          : reader_exit(command->run(&options));
    options_free(&options);
    return result;
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
        return run(command, argc - 1, argv + 1);
    if (word && strcmp(word, "help") == 0 && argc > 2) {
        word = argv[2];
        if ((command = command_find(word)))
            return print(command_help, command);
    } else if (word &&
               (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)) {
        return print(put_overview, NULL);
    } else if (word && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)) {
        return print(put_version, NULL);
    }
    if (word)
        tell_unknown(word);
    else
        log_error("missing command (see refrain --help)");
    return 2;
}
