/* SPDX-License-Identifier: BSD-3-Clause */
/* gen [--list] [--out DIR] [--declared FILE] [--fortran FILE] [--removed FILE] [--own FILE] [--skip
 * FILE] FILE.tex…
 *
 * Reads the MPI standard's LaTeX and writes what --list (list.h) or --out (emit.h) asks for. The
 * exit status is 1 if there are errors; all of them are written to stderr. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declared.h"
#include "emit.h"
#include "exported_symbols.h"
#include "list.h"
#include "model_read.h"
#include "refuse.h"
#include "sources.h"
#include "special.h"
#include "text_arena.h"

static const char usage[] =
    "usage: gen [--list] [--out DIR] [--declared FILE] [--fortran FILE] [--removed FILE] [--own FILE]\n"
    "           [--skip FILE] FILE.tex...\n"
    "  --list           print the procedures\n"
    "  --out DIR        write functions.h, table.c, constants.c, wrap_c.c and wrap_f.c into DIR\n"
    "  --declared FILE  the declarations of mpi.h (cc -E -dD); procedures without one are left out\n"
    "  --fortran FILE   symbols of the Fortran libraries, one a line; without it, wrap_f.c is empty\n"
    "  --removed FILE   procedures removed from the standard; those that mpi.h declares are added\n"
    "  --own FILE       procedures of the tracer: in the function table, without wrappers\n"
    "  --skip FILE      leave this file out; may be repeated\n";

struct options {
    struct emit_options emit;
    bool list;
    const char *removed; /* NULL: none */
    const char *own;     /* NULL: none */
    char **skipped;
    size_t n_skipped;
};

static int parse_option(int option, struct options *o)
{
    switch (option) {
    case 'l':
        o->list = true;
        return 0;
    case 'o':
        o->emit.out = optarg;
        return 0;
    case 'd':
        o->emit.declared = declared_read(optarg);
        return o->emit.declared ? 0 : -1;
    case 'f':
        o->emit.fortran = symbols_read(optarg);
        return o->emit.fortran ? 0 : -1;
    case 'r':
        o->removed = optarg;
        return 0;
    case 'w':
        o->own = optarg;
        return 0;
    case 's':
        o->skipped = text_arena_more(o->skipped, o->n_skipped, sizeof *o->skipped);
        o->skipped[o->n_skipped++] = optarg;
        return 0;
    default:
        fputs(usage, stderr);
        return -1;
    }
}

static int emit_all(const struct model *m, const struct emit_options *o)
{
    int result = emit_table(m, o) | emit_constants(m, o) | emit_wrap_c(m, o) | emit_wrap_f(m, o);

    return result ? -1 : 0;
}

/* Whether the MPI library has the procedure. */
static bool is_present(const struct procedure *p, const void *emit)
{
    return p->c_expressible && emit_is_present(emit, p, false);
}

static bool is_described(const struct model *m, const char *name)
{
    const char *small =
        text_ends_with(name, "_c") ? text_arena_copy(name, strlen(name) - strlen("_c")) : name;

    return model_find(m->procedures, m->n_procedures, name) ||
           model_find(m->procedures, m->n_procedures, small) || special_find(SPECIAL_NOT_WRAPPED, name, NULL);
}

/* Warn of procedures that mpi.h declares but no source describes: their calls would be missing in
 * traces. */
static void warn_of_undescribed(const struct model *m, const struct declared *d)
{
    struct source_position place, first = {0};
    const char *names = "", *name;

    for (size_t i = 0; (name = declared_procedure(d, i, &place)); i++) {
        if (is_described(m, name))
            continue;
        first = *names ? first : place;
        names = text_arena_format("%s%s%s", names, *names ? ", " : "", name);
    }
    if (*names)
        warn(first, "these have no description, so their calls are not recorded: %s", names);
}

static int read_and_write(char *const files[], size_t n, const struct options *o)
{
    struct sources sources;
    struct model model;

    if (sources_sort(files, n, o->skipped, o->n_skipped, &sources) || model_read(&sources, &model))
        return -1;
    if (o->removed && o->emit.declared && model_read_more(o->removed, is_present, &o->emit, &model))
        return -1;
    if (o->own && model_read_own(o->own, &model))
        return -1;
    if (o->list)
        list_model(stdout, &model);
    if (o->emit.out && o->emit.declared)
        warn_of_undescribed(&model, o->emit.declared);
    return o->emit.out ? emit_all(&model, &o->emit) : 0;
}

static int run(int argc, char **argv)
{
    static const struct option names[] = {{"list", no_argument, NULL, 'l'},
                                          {"out", required_argument, NULL, 'o'},
                                          {"declared", required_argument, NULL, 'd'},
                                          {"fortran", required_argument, NULL, 'f'},
                                          {"removed", required_argument, NULL, 'r'},
                                          {"own", required_argument, NULL, 'w'},
                                          {"skip", required_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    struct options o = {0};
    int result;

    for (int option; (option = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        if (parse_option(option, &o))
            return -1;
    }
    if (optind == argc || (!o.list && !o.emit.out)) {
        fputs(usage, stderr);
        return -1;
    }
    result = read_and_write(argv + optind, (size_t)(argc - optind), &o);
    if (refuse_count())
        fprintf(stderr, "gen: %zu refused; correct them, or leave out a file with --skip FILE\n",
                refuse_count());
    return result;
}

int main(int argc, char **argv)
{
    int result = run(argc, argv);

    text_arena_free();
    return result ? EXIT_FAILURE : EXIT_SUCCESS;
}
