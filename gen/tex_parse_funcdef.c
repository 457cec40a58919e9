/* SPDX-License-Identifier: BSD-3-Clause */
/* The older dialect, which the rendered chapters of later editions use too.
 *
 *     \begin{funcdef}{MPI\_PREADY}{(\mbox{partition}, \mbox{request})}
 *     \funcarg{\IN}{partition}{… (nonnegative integer)}
 *     \funcarg{\INOUT}{request}{… (handle)}
 *     \end{funcdef}
 *     \mpibindmain{MPI\_Pready}{(\gb{}int~partition, MPI\_Request~request)}
 *
 * In editions up to 3.1, name and parameters are one argument: \mpibind{MPI\_Pready(int partition,
 * …)}. Only a parameter's description says whether it is significant only at the root. */
#include <ctype.h>
#include <string.h>

#include "refuse.h"
#include "tex_parse.h"
#include "text_arena.h"

/* Macros that hold a C binding. Letters stand for their arguments: name, parameters, type of the
 * result. */
static const struct macro {
    const char *name;
    const char *arguments;
    const char *result; /* used if no argument has the type */
    bool callback, main;
} macros[] = {
    {"mpibind", "np", "int", false, false},
    {"mpibindmain", "np", "int", false, true},
    {"mpibindnotint", "tnp", NULL, false, false},
    {"mpibindnotintmain", "tnp", NULL, false, true},
    {"mpiemptybindidx", "npt", "int", false, false},
    {"mpitypedefbind", "np", "int", true, false},
    {"mpitypedefbindmain", "np", "int", true, true},
    {"mpitypedefbindvoid", "np", "void", true, false},
    {"mpitypedefbindvoidmain", "np", "void", true, true},
    {"mpiemptybindNOidx", "npt", "int", false, false},
    {"mpitypedefemptybind", "npt", "void", true, false},
};

static const char *upper(const char *text)
{
    char *copy = text_arena_copy(text, strlen(text));

    for (char *c = copy; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return copy;
}

/* ---- the language-independent block ---------------------------------------------------------- */

static int parse_funcarg(struct tex *tex, struct source_position place, struct funcdef *block)
{
    static const char *const directions[] = {
        [DIRECTION_IN] = "\\IN", [DIRECTION_OUT] = "\\OUT", [DIRECTION_INOUT] = "\\INOUT"};
    const char *direction, *name, *description = "";
    struct funcarg arg = {.place = place};

    if (tex_argument(tex, &direction) || tex_argument(tex, &name) ||
        (tex_has_argument(tex) && tex_argument(tex, &description)))
        return -1;
    direction += strspn(direction, " ");
    for (enum direction d = DIRECTION_IN; d <= DIRECTION_INOUT; d++) {
        size_t n = strlen(directions[d]);

        if (strncmp(direction, directions[d], n) == 0 && !isalpha((unsigned char)direction[n]))
            arg.direction = d;
    }
    if (!arg.direction)
        return refuse(place, "unknown direction '%s': must be \\IN, \\OUT or \\INOUT", direction);
    arg.name = tex_plain(name);
    arg.root_only = strstr(tex_plain(description), "significant only at root");
    block->args = text_arena_more(block->args, block->n_args, sizeof arg);
    block->args[block->n_args++] = arg;
    return 0;
}

/* Parse a block. A parameter with an error is missing in it. */
static int parse_block(struct funcdefs *f, struct tex *tex, struct source_position begin,
                       const char *environment)
{
    const char *end = text_arena_format("end{%s}", environment), *name;
    struct funcdef block = {.place = begin};
    struct tex before;
    struct tex_command command;
    int found;

    if (tex_argument(tex, &name))
        return -1;
    name = tex_plain(name);
    block.name = upper(text_arena_copy(name, strcspn(name, " (")));
    while (before = *tex, (found = tex_next(tex, &command)) > 0 && strcmp(command.name, end) != 0) {
        if (strncmp(command.name, "begin{funcdef", 13) == 0) {
            *tex = before; /* reading continues with the next block */
            found = 0;
            break;
        }
        if (strcmp(command.name, "funcarg") == 0 && parse_funcarg(tex, command.place, &block))
            block.broken = true;
    }
    block.broken = block.broken || found <= 0;
    f->blocks = text_arena_more(f->blocks, f->n_blocks, sizeof block);
    f->blocks[f->n_blocks++] = block;
    if (found)
        return found < 0 ? -1 : 0;
    return refuse(begin, "environment '%s' does not end: add \\end{%s}", environment, environment);
}

/* ---- the C binding --------------------------------------------------------------------------- */

/* Split "double MPI_Wtime(void)" or "MPI_Wtime(void)" into name, parameters and, if it is there,
 * the type of the result. */
static void split_prototype(struct prototype *p, const char *text, const char **list)
{
    const char *open = strchr(text, '(');
    size_t end = (size_t)(open - text), from;

    while (end && text[end - 1] == ' ')
        end--;
    for (from = end; from && (isalnum((unsigned char)text[from - 1]) || text[from - 1] == '_');)
        from--;
    p->name = text_arena_copy(text + from, end - from);
    while (from && text[from - 1] == ' ')
        from--;
    if (from)
        p->result = text_arena_copy(text, from);
    *list = open;
}

/* Parse the arguments of a macro. Name and parameters may be one argument, or all three. */
static int parse_arguments(struct tex *tex, const struct macro *macro, struct prototype *p, const char **list)
{
    const char *text;

    for (const char *a = macro->arguments; *a; a++) {
        if (*a == 't' && a != macro->arguments && !tex_has_argument(tex))
            return 0; /* older editions lack the type */
        if (tex_argument(tex, &text))
            return -1;
        text = tex_plain(text);
        if (a == macro->arguments && strchr(text, '(')) {
            split_prototype(p, text, list);
            if (*a == 't')
                return 0;
            a++;
        } else {
            *(*a == 'n' ? &p->name : *a == 't' ? &p->result : list) = text;
        }
    }
    return 0;
}

static int parse_prototype(struct funcdefs *f, struct tex *tex, const struct macro *macro,
                           struct source_position place, const char *chapter)
{
    struct prototype p = {.place = place,
                          .chapter = chapter,
                          .result = macro->result,
                          .callback = macro->callback,
                          .main = macro->main};
    const char *list = "";

    if (parse_arguments(tex, macro, &p, &list))
        return -1;
    if (!p.name || !*p.name || !p.result || strncmp(p.name, "MPI_", 4) != 0)
        return refuse(place, "\\%s without the name of a procedure: expected MPI_… in its argument",
                      macro->name);
    if (c_parse_list(place, list, &p.parameters, &p.n_parameters))
        return -1;
    f->prototypes = text_arena_more(f->prototypes, f->n_prototypes, sizeof p);
    f->prototypes[f->n_prototypes++] = p;
    return 0;
}

int funcdef_parse(struct funcdefs *f, struct tex *tex, const struct tex_command *command, const char *chapter)
{
    static const char *const blocks[] = {"funcdef", "funcdef2", "funcdefna"};

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (strcmp(command->name, text_arena_format("begin{%s}", blocks[i])) == 0)
            return parse_block(f, tex, command->place, blocks[i]);
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (strcmp(command->name, macros[i].name) == 0 && tex_has_argument(tex))
            return parse_prototype(f, tex, &macros[i], command->place, chapter);
    return 0;
}
