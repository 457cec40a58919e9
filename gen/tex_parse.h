/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ways in which the standard's sources describe a procedure. */
#ifndef GEN_TEX_PARSE_H
#define GEN_TEX_PARSE_H

#include "c_parse.h"
#include "interface_model.h"
#include "tex_lex.h"

/* The contents of an mpi-binding block. */
struct binding {
    struct procedure procedure; /* without chapter */
    bool callback;              /* a callback type, not a procedure */
};

/* Parse the text between \begin{mpi-binding}, at `begin`, and its \end. 1 with *out set, which is
 * `broken` if it has errors; 0 if the block only shows again a procedure of another block; -1 if it
 * has errors and no name. */
int binding_parse(struct source_position begin, const char *body, struct binding *out);

/* \funcarg{\IN}{buf}{…} */
struct funcarg {
    struct source_position place;
    const char *name;
    enum direction direction;
    bool root_only; /* "significant only at root" */
};

/* \begin{funcdef}{MPI\_PREADY}{(…)} … \end{funcdef}: the language-independent parameters */
struct funcdef {
    struct source_position place;
    const char *name; /* in capitals */
    struct funcarg *args;
    size_t n_args;
    bool broken; /* some were refused */
};

/* \mpibindmain{MPI\_Pready}{(int~partition, MPI\_Request~request)} and similar macros: the C
 * binding */
struct prototype {
    struct source_position place;
    const char *chapter;
    const char *name;
    const char *result; /* C type */
    bool callback;
    bool main; /* only one such prototype may exist; others repeat it */
    struct c_declaration *parameters;
    size_t n_parameters;
};

/* The contents of the older macros, to be joined when all files are read. */
struct funcdefs {
    struct funcdef *blocks;
    size_t n_blocks;
    struct prototype *prototypes;
    size_t n_prototypes;
};

/* Read the arguments of `command`, if it is one of these macros. 0; -1 after an error. */
int funcdef_parse(struct funcdefs *f, struct tex *tex, const struct tex_command *command,
                  const char *chapter);
/* Add each procedure to the model. If the model has it already, the parameters must be equal.
 * Procedures with errors are left out. */
void funcdef_join(const struct funcdefs *f, struct model *m);
/* Only compare; add nothing. */
void funcdef_compare(const struct funcdefs *f, const struct model *m);

/* The kind of a declaration; `large` is the declaration in the large-count procedure, NULL if there
 * is none. NULL if no kind has this type. */
const struct kind *kind_of_declaration(const char *procedure, const struct c_declaration *d,
                                       const struct c_declaration *large);

#endif
