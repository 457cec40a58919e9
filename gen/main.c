/* SPDX-License-Identifier: BSD-3-Clause */
/* gen [--list] [--out DIR] [--declared FILE] [--fortran FILE] FILE.tex…
 *
 * Reads the MPI standard's LaTeX and writes what --list (list.h) or --out (emit.h) asks for. Exit status 0,
 * or 1 when something is wrong, with a message on stderr. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "declared.h"
#include "emit.h"
#include "exported_symbols.h"
#include "list.h"
#include "model_read.h"
#include "text_arena.h"

static const char usage[] =
    "usage: gen [--list] [--out DIR] [--declared FILE] [--fortran FILE] FILE.tex...\n"
    "  --list           print the procedures\n"
    "  --out DIR        write functions.h, table.c, constants.c, wrap_c.c and wrap_f.c into DIR\n"
    "  --declared FILE  what mpi.h declares (cc -E -dD); all else is left out of these files\n"
    "  --fortran FILE   what the Fortran libraries export, a symbol a line; without it, wrap_f.c is empty\n";

static int emit_all(const struct model *m, const struct emit_options *o)
{
    return emit_table(m, o) || emit_constants(m, o) || emit_wrap_c(m, o) || emit_wrap_f(m, o) ? -1 : 0;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"list", no_argument, NULL, 'l'},           {"out", required_argument, NULL, 'o'},
        {"declared", required_argument, NULL, 'd'}, {"fortran", required_argument, NULL, 'f'},
        {"help", no_argument, NULL, 'h'},           {0}};
    struct emit_options emit = {0};
    struct model model;
    bool list = false;

    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'l':
            list = true;
            break;
        case 'o':
            emit.out = optarg;
            break;
        case 'd':
            emit.declared = declared_read(optarg);
            if (!emit.declared)
                return -1;
            break;
        case 'f':
            emit.fortran = symbols_read(optarg);
            if (!emit.fortran)
                return -1;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            fputs(usage, stderr);
            return -1;
        }
    if (optind == argc || (!list && !emit.out)) {
        fputs(usage, stderr);
        return -1;
    }
    if (model_read(argv + optind, (size_t)(argc - optind), &model))
        return -1;
    if (list)
        list_model(stdout, &model);
    return emit.out ? emit_all(&model, &emit) : 0;
}

int main(int argc, char **argv)
{
    int result = run(argc, argv);

    text_arena_free();
    return result ? EXIT_FAILURE : EXIT_SUCCESS;
}
