/* SPDX-License-Identifier: BSD-3-Clause */
#define LOG_DOMAIN LOG_LAUNCH
#include "fortran_names.h"

#include "executable.h"
#include "src/core/base/log.h"
#include "src/core/settings/variable.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The words of REFRAIN_FORTRAN_NAMES. A set of manglings has a bit for each of UNDERSCORE …
 * CAPITALS. */
enum names { DEFAULT, NONE, UNDERSCORE, PLAIN, SECOND, CAPITALS, ALL, NAMES };
static const char *const words[NAMES] = {"default", "none",     "underscore", "plain",
                                         "second",  "capitals", "all"};
#define BIT(mangling) (1u << (mangling))
#define EACH_FORM     (BIT(UNDERSCORE) | BIT(PLAIN) | BIT(SECOND) | BIT(CAPITALS))

/* The names that one file defines and refers to. */
struct object {
    const struct survey *survey;
    bool is_mpi;        /* defines procedures of the profiling interface */
    unsigned wanted;    /* manglings of MPI procedures that it uses but does not define */
    char *taken[NAMES]; /* by mangling: one such name that it defines; owned */
};

struct survey {
    ARRAY(char *)
    /* of the tracer, as "mpi_send" for each mangling; sorted, possibly with duplicates */
    procedures;
    unsigned own;       /* manglings that librefrain.so exports */
    unsigned wanted;    /* manglings that the program and its libraries call */
    char *taken[NAMES]; /* by mangling: "libown.so defines mpi_send"; owned */
};

#define NAME_BYTES 80 /* for a procedure's name with its ending; MPI has no longer ones */

/* Returns the mangling of a name and the procedure without it; NONE if the name is not a Fortran
 * name of an MPI procedure. */
static enum names mangling_of(const char *name, char procedure[NAME_BYTES])
{
    const bool capitals = strncmp(name, "MPI_", 4) == 0;
    size_t n = strlen(name), end = n;
    if ((!capitals && strncmp(name, "mpi_", 4) != 0) || n >= NAME_BYTES)
        return NONE;
    while (end > 0 && name[end - 1] == '_')
        end--;
    for (size_t i = 0; i < end; i++) {
        if (capitals && islower((unsigned char)name[i]))
            return NONE;
        procedure[i] = (char)tolower((unsigned char)name[i]);
    }
    procedure[end] = '\0';
    if (capitals)
        return end == n ? CAPITALS : NONE;
    return n - end == 0 ? PLAIN : n - end == 1 ? UNDERSCORE : n - end == 2 ? SECOND : NONE;
}

static bool copy_to(char **copy, const char *name)
{
    *copy = strdup(name);
    if (!*copy)
        log_error("out of memory: the name %s", name);
    return *copy;
}

static bool add_procedure(void *data, const char *name, bool defined)
{
    struct survey *s = data;
    char procedure[NAME_BYTES], *copy;
    const enum names mangling = defined ? mangling_of(name, procedure) : NONE;
    if (mangling == NONE)
        return true;
    s->own |= BIT(mangling);
    if (!copy_to(&copy, procedure))
        return false;
    if (array_push(&s->procedures, copy))
        return true;
    free(copy);
    return false;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool look_at_symbol(void *data, const char *name, bool defined)
{
    struct object *o = data;
    const struct survey *s = o->survey;
    char buffer[NAME_BYTES];
    const char *procedure = buffer;
    if (defined && strncasecmp(name, "pmpi_", strlen("pmpi_")) == 0)
        o->is_mpi = true;
    const enum names mangling = mangling_of(name, buffer);
    if (mangling == NONE ||
        !bsearch(&procedure, s->procedures.items, s->procedures.n, sizeof *s->procedures.items, compare))
        return true;
    if (!defined)
        o->wanted |= BIT(mangling);
    else if (!o->taken[mangling])
        return copy_to(&o->taken[mangling], name);
    return true;
}

static enum refrain_status note_taken(struct survey *s, const struct object *o, const char *path)
{
    for (size_t mangling = 0; mangling < NAMES; mangling++) {
        if (!o->taken[mangling] || s->taken[mangling])
            continue;
        if (asprintf(&s->taken[mangling], "%s defines %s", path, o->taken[mangling]) < 0) {
            s->taken[mangling] = NULL;
            log_error("out of memory: the names of %s", path);
            return REFRAIN_ERR_MEMORY;
        }
    }
    return REFRAIN_OK;
}

/* The program's own definitions come before the tracer's in symbol lookup, so they do not count as
 * taken. */
static enum refrain_status look_at_file(struct survey *s, const char *path, bool is_program)
{
    struct object o = {.survey = s};
    enum refrain_status status = elf_each_symbol(path, look_at_symbol, &o);
    if (status == REFRAIN_OK && !o.is_mpi) {
        s->wanted |= o.wanted;
        status = is_program ? REFRAIN_OK : note_taken(s, &o, path);
    }
    for (size_t mangling = 0; mangling < NAMES; mangling++)
        free(o.taken[mangling]);
    return status;
}

static enum refrain_status survey_make(struct survey *s, const char *tracer, const char *program,
                                       const struct libraries *libraries)
{
    enum refrain_status status = elf_each_symbol(tracer, add_procedure, s);
    if (status != REFRAIN_OK || s->procedures.n == 0)
        return status;
    qsort(s->procedures.items, s->procedures.n, sizeof *s->procedures.items, compare);
    status = look_at_file(s, program, true);
    for (size_t i = 0; i < libraries->paths.n && status == REFRAIN_OK; i++)
        status = look_at_file(s, libraries->paths.items[i], false);
    return status;
}

static void survey_free(struct survey *s)
{
    for (size_t i = 0; i < s->procedures.n; i++)
        free(s->procedures.items[i]);
    array_free(&s->procedures);
    for (size_t mangling = 0; mangling < NAMES; mangling++)
        free(s->taken[mangling]);
}

/* Returns the manglings that the tracer for this word exports. */
static unsigned manglings_of(const struct survey *s, enum names word)
{
    return word == NONE ? 0 : word == DEFAULT ? s->own : word == ALL ? EACH_FORM : s->own | BIT(word);
}

static enum names asked_for(void)
{
    const struct variable *v = &variables[VARIABLE_FORTRAN_NAMES];
    struct variable_value value = variable_default(v);
    const char *text = getenv(v->name);
    if (text && *text)
        variable_parse(v, text, &value); /* the tracer itself warns of an invalid value */
    return (enum names)value.number;
}

/* Returns the word for the names that the program calls, if they have one mangling besides
 * librefrain.so's. */
static enum names called_for(const struct survey *s)
{
    for (enum names mangling = UNDERSCORE; mangling <= CAPITALS; mangling++) {
        if (BIT(mangling) & s->wanted & ~s->own && !s->taken[mangling])
            return mangling;
    }
    return DEFAULT;
}

/* Returns the first of `word`, librefrain.so's own set and NONE that contains no names defined
 * elsewhere. Warns if the program calls a mangling that is left out. */
static enum names without_taken(const struct survey *s, enum names word, unsigned wanted)
{
    for (enum names mangling = UNDERSCORE; mangling <= CAPITALS; mangling++) {
        if (!(manglings_of(s, word) & BIT(mangling)) || !s->taken[mangling])
            continue;
        log_message(LOG_DOMAIN, wanted & BIT(mangling) ? LOG_WARNING : LOG_INFO,
                    "%s itself: Fortran's calls by names of that mangling are not recorded",
                    s->taken[mangling]);
        return without_taken(s, word == DEFAULT || s->own & BIT(mangling) ? NONE : DEFAULT, wanted);
    }
    return word;
}

/* Makes "/lib/librefrain-plain.so" of "/lib/librefrain.so". */
static enum refrain_status path_of(const char *tracer, enum names word, char **path)
{
    const char *slash = strrchr(tracer, '/');
    const int n = slash ? (int)(slash + 1 - tracer) : 0;
    char *result;
    if (asprintf(&result, "%.*slibrefrain-%s.so", n, tracer, words[word]) < 0) {
        log_error("out of memory: %s", tracer);
        return REFRAIN_ERR_MEMORY;
    }
    *path = result;
    return REFRAIN_OK;
}

static enum refrain_status choose(const struct survey *s, const char *tracer, char **path)
{
    const enum names asked = asked_for();
    const unsigned wanted = asked == DEFAULT ? s->wanted : manglings_of(s, asked);
    const enum names word = without_taken(s, asked == DEFAULT ? called_for(s) : asked, wanted);
    char *other = NULL;
    enum refrain_status status;
    if (manglings_of(s, word) == s->own)
        return copy_to(path, tracer) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    if ((status = path_of(tracer, word, &other)) != REFRAIN_OK)
        return status;
    if (access(other, R_OK) == 0) {
        *path = other;
        return REFRAIN_OK;
    }
    if (asked == word) {
        log_error("%s=%s: %s: %m", variables[VARIABLE_FORTRAN_NAMES].name, words[word], other);
        status = REFRAIN_ERR_USAGE;
    } else {
        log_warning("%s: %m; using the Fortran names of %s", other, tracer);
        status = copy_to(path, tracer) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    }
    free(other);
    return status;
}

enum refrain_status fortran_names_choose(const char *tracer, const char *program,
                                         const struct libraries *libraries, char **path)
{
    struct survey s = {0};
    enum refrain_status status = survey_make(&s, tracer, program, libraries);
    if (status == REFRAIN_OK)
        status = choose(&s, tracer, path);
    survey_free(&s);
    return status;
}
