/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls in an mpi-binding block.
 *
 *     function_name("MPI_Pready_list")
 *     parameter("length", "ARRAY_LENGTH", direction="IN", desc=r"list length")
 *     parameter("array_of_partitions", "PARTITION", length="length", constant=True)
 *
 * Arguments are texts, truth values, None and lists of texts. A text may have a prefix (r"…"), three quotes,
 * and continue in further texts; # and % start comments. */
#ifndef GEN_CALL_LEX_H
#define GEN_CALL_LEX_H

#include "interface_model.h"

/* The calls that remain to be read. */
struct call_scanner {
    struct source_position place;
    const char *at; /* terminated */
};

struct value {
    enum { VALUE_TEXT, VALUE_TRUTH, VALUE_NONE } type;
    const char *text; /* of a list: its texts, with commas between them */
    bool truth;
};

struct argument {
    struct source_position place;
    const char *key; /* "" if the position identifies the argument */
    struct value value;
};

struct call {
    struct source_position place;
    const char *name;
    struct argument *arguments;
    size_t n_arguments;
};

/* Read the next call: 1, 0 if there is none, -1 after an error. */
int call_next(struct call_scanner *s, struct call *out);
/* Get argument i, which must be a text without a key; -1 if it is not. */
int call_text(const struct call *c, size_t i, const char **out);

#endif
