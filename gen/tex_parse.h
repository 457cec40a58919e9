/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ways in which the standard's sources describe a procedure. */
#ifndef GEN_TEX_PARSE_H
#define GEN_TEX_PARSE_H

#include "c_parse.h"
#include "interface_model.h"
#include "tex_lex.h"

/* What an mpi-binding block says. */
struct binding {
    struct procedure procedure; /* without chapter */
    bool callback;              /* a callback type, not a procedure */
};

/* Parses the text between \begin{mpi-binding}, at `begin`, and its \end. 1 with *out set, `broken` if
 * something in it is refused; 0 when the block only shows a procedure again that another one describes; -1 when it is
 * refused and has no name. */
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

/* \mpibindmain{MPI\_Pready}{(int~partition, MPI\_Request~request)} and its kin: the C binding */
struct prototype {
    struct source_position place;
    const char *chapter;
    const char *name;
    const char *result; /* C type */
    bool callback;
    bool main; /* there may be only one such prototype; others repeat */
    struct c_declaration *parameters;
    size_t n_parameters;
};

/* What the older macros say, to be joined when all files are read. */
struct funcdefs {
    struct funcdef *blocks;
    size_t n_blocks;
    struct prototype *prototypes;
    size_t n_prototypes;
};

/* Reads what belongs to `command` if it is one of these macros. 0; -1 when it is refused. */
int funcdef_parse(struct funcdefs *f, struct tex *tex, const struct tex_command *command,
                  const char *chapter);
/* Adds each procedure to the model; one that the model has must have the same parameters there. What is refused is
 * left out. */
void funcdef_join(const struct funcdefs *f, struct model *m);
/* Compares only: nothing is added. */
void funcdef_compare(const struct funcdefs *f, const struct model *m);

/* The kind that a declaration of a procedure stands for; `large` is the one in the large-count procedure, NULL if there
 * is none. NULL if none is known to have this type. */
const struct kind *kind_of_declaration(const char *procedure, const struct c_declaration *d,
                                       const struct c_declaration *large);

#endif
