/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that write global definitions: strings, the system tree, communicators, topologies,
 * windows and files. */
#ifndef REFRAIN_OTF2_GLOBAL_IMPL_H
#define REFRAIN_OTF2_GLOBAL_IMPL_H

#include "decoder/trace/hosts.h"
#include "otf2_global.h"

/* There are two passes over all definitions: the first one writes their strings, the second one the
 * definitions, because readers need the strings first. Strings get the same numbers in both passes. */
struct global {
    const struct otf2_shared *x;
    const struct otf2_locations *locations;
    OTF2_GlobalDefWriter *writer;
    bool only_strings;
    uint32_t n_strings; /* number of strings that this pass has reached */
    struct hosts hosts;
    enum refrain_status status; /* the first error, or REFRAIN_OK */
};

/* Writes a definition, in the second pass. Errors are kept in g->status. */
#define DEFINE(g, what, ...)                                                                                 \
    do {                                                                                                     \
        if (!(g)->only_strings && (g)->status == REFRAIN_OK)                                                 \
            (g)->status = otf2_check(OTF2_GlobalDefWriter_Write##what((g)->writer, __VA_ARGS__));            \
    } while (0)

/* Returns the number of a new string. */
OTF2_StringRef global_string(struct global *g, const char *text);
OTF2_StringRef global_string_printf(struct global *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The machine and its nodes; processes; threads. */
#define OTF2_MACHINE 0
void global_put_system_tree(struct global *g);
/* Groups, then communicators. */
void global_put_comms(struct global *g);
/* Cartesian communicators. */
void global_put_topologies(struct global *g);
/* Windows; files and their handles. */
void global_put_objects(struct global *g);

#endif
