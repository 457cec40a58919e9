/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define HELP_COLUMN 24

static enum refrain_status misused(const struct command *command, const char *what, const char *which)
{
    log_error("%s%s%s (see refrain %s --help)", what, which ? " " : "", which ? which : "", command->name);
    return REFRAIN_ERR_USAGE;
}

/* Second names of options, accepted everywhere. --help shows the first ones. */
static const struct synonym {
    enum option_id id;
    const char *name;
} synonyms[] = {{OPTION_RANK, "ranks"}};

static bool is_named(const struct option_spec *s, const char *word, size_t n)
{
    if (strlen(s->name) == n && strncmp(s->name, word, n) == 0)
        return true;
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++) {
        const char *name = synonyms[i].name;
        if (synonyms[i].id == s->id && strlen(name) == n && strncmp(name, word, n) == 0)
            return true;
    }
    return false;
}

/* Finds the option that `word` names (without dashes, up to a '='). */
static const struct option_spec *find_long(const struct command *command, const char *word)
{
    const size_t n = strcspn(word, "=");
    for (const struct option_spec *s = command->specs; s->name; s++) {
        if (is_named(s, word, n))
            return s;
    }
    return NULL;
}

static const struct option_spec *find_letter(const struct command *command, char letter)
{
    for (const struct option_spec *s = command->specs; s->name; s++) {
        if (s->letter == letter)
            return s;
    }
    return NULL;
}

/* Parses the option at argv[*at]. If its value is a separate word, *at moves to it. */
static enum refrain_status parse_one(struct options *o, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *attached;
    struct option_value v = {0};
    if (word[1] == '-') {
        v.spec = find_long(o->command, word + 2);
        attached = strchr(word, '=');
        attached = attached ? attached + 1 : NULL;
    } else {
        v.spec = find_letter(o->command, word[1]);
        attached = word[2] ? word + 2 : NULL;
    }
    if (!v.spec)
        return misused(o->command, "unknown option", word);
    if (!v.spec->argument && attached)
        return misused(o->command, "this option takes no value:", word);
    if (v.spec->argument) {
        v.value = attached ? attached : *at + 1 < argc ? argv[++*at] : NULL;
        if (!v.value)
            return misused(o->command, "missing value after", word);
    }
    return array_push(&o->values, v) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

/* Overwriting an input file would lose both files. */
static enum refrain_status check_output(const struct options *o)
{
    const char *path = options_value(o, OPTION_OUTPUT);
    struct stat out, in;
    if (!path)
        return REFRAIN_OK;
    if (!*path)
        return misused(o->command, "--output: the file name is empty", NULL);
    if (stat(path, &out) != 0 || !S_ISREG(out.st_mode))
        return REFRAIN_OK;
    for (unsigned i = 0; i < o->n_operands && !(i > 0 && o->command->program); i++) {
        if (stat(o->operands[i], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return misused(o->command, "--output would overwrite an input file:", path);
    }
    return REFRAIN_OK;
}

enum refrain_status options_parse(struct options *o, const struct command *command, int argc, char **argv)
{
    enum refrain_status status = REFRAIN_OK;
    bool only_operands = false;
    *o = (struct options){.command = command, .operands = argv};
    for (int i = 1; status == REFRAIN_OK && i < argc; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
            status = parse_one(o, argc, argv, &i);
        } else {
            o->operands[o->n_operands++] = argv[i]; /* n_operands <= i, so no argument is lost */
            only_operands = only_operands || command->program;
        }
    }
    o->operands[o->n_operands] = NULL;
    if (status == REFRAIN_OK && !options_has(o, OPTION_HELP)) {
        if (o->n_operands < command->least)
            status = misused(command, "missing argument: wanted", command->operands);
        else if (o->n_operands > command->most)
            status = misused(command, "unexpected argument", o->operands[command->most]);
        else
            status = check_output(o);
    }
    if (status != REFRAIN_OK)
        options_free(o);
    return status;
}

void options_free(struct options *o)
{
    array_free(&o->values);
}

const struct option_value *options_find(const struct options *o, enum option_id id)
{
    for (size_t i = o->values.n; i-- > 0;) {
        if (o->values.items[i].spec->id == id)
            return &o->values.items[i];
    }
    return NULL;
}

const char *options_value(const struct options *o, enum option_id id)
{
    const struct option_value *given = options_find(o, id);
    return given ? given->value : NULL;
}

enum refrain_status options_number(const struct options *o, enum option_id id, uint64_t least, uint64_t most,
                                   uint64_t *number)
{
    const struct option_value *given = options_find(o, id);
    char *end;
    if (!given)
        return REFRAIN_OK;
    errno = 0;
    const unsigned long long v = strtoull(given->value, &end, 10);
    if (errno == 0 && *given->value >= '0' && *given->value <= '9' && !*end && v >= least && v <= most) {
        *number = v;
        return REFRAIN_OK;
    }
    log_error("--%s %s: wanted a number from %" PRIu64 " to %" PRIu64, given->spec->name, given->value, least,
              most);
    return REFRAIN_ERR_USAGE;
}

bool options_has(const struct options *o, enum option_id id)
{
    return options_find(o, id) != NULL;
}

bool options_function(const struct options *o, const char *function)
{
    for (size_t i = 0; i < o->values.n; i++) {
        const struct option_value *v = &o->values.items[i];
        if (v->spec->id == OPTION_FUNCTION && fnmatch(v->value, function, FNM_CASEFOLD) == 0)
            return true;
    }
    return false;
}

enum refrain_status options_no_function(const char *path, const char *pattern)
{
    if (strpbrk(pattern, "*?[") || strncasecmp(pattern, "mpi", 3) == 0)
        log_error("%s: no function like %s was called", path, pattern);
    else
        log_error("%s: no function like %s was called; a pattern is for the whole name, as *%s*", path,
                  pattern, pattern);
    return REFRAIN_ERR_USAGE;
}

/* ---- help ------------------------------------------------------------------------------------ */

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0)
            return c;
    }
    return NULL;
}

/* Writes "  left        right". A long left side gets its own line. */
static void put_pair(struct output *out, const char *left, const char *right)
{
    if (strlen(left) + 2 > HELP_COLUMN)
        text_printf(&out->text, "  %s\n  %*s%s\n", left, HELP_COLUMN, "", right);
    else
        text_printf(&out->text, "  %-*s%s\n", HELP_COLUMN, left, right);
}

void command_help(const struct command *command, struct output *out)
{
    text_printf(&out->text, "usage: refrain %s [OPTION…]%s%s\n%s.\n\n", command->name,
                *command->operands ? " " : "", command->operands, command->summary);
    for (const struct option_spec *s = command->specs; s->name; s++) {
        struct bytes left = {0};
        if (s->letter)
            text_printf(&left, "-%c, ", s->letter);
        text_printf(&left, "--%s%s%s", s->name, s->argument ? " " : "", s->argument ? s->argument : "");
        bytes_put_u8(&left, '\0');
        if (!left.failed)
            put_pair(out, (const char *)left.data, s->help);
        bytes_free(&left);
    }
    text_printf(&out->text, "\nMore in refrain-%s(1).\n", command->name);
}

void command_overview(struct output *out)
{
    text_put(&out->text, "usage: refrain COMMAND [OPTION…] ARGUMENT…\n"
                         "Record every MPI call of a parallel program, and analyse the recorded calls.\n\n");
    for (const struct command *c = commands; c->name; c++)
        put_pair(out, c->name, c->summary);
    text_put(&out->text, "\n");
    put_pair(out, "help COMMAND", "print the options of a command, like COMMAND --help");
    put_pair(out, "-h, --help", "print this text");
    put_pair(out, "-V, --version", "print the version");
    text_put(&out->text, "\nMore in refrain(1).\n");
}
