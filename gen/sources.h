/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of a tree of the standard's sources are for. */
#ifndef GEN_SOURCES_H
#define GEN_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

/* The files that describe the interface, and those that are only compared with them:
 *
 *     chap-io/io.tex            described
 *     chap-io/io-rendered.tex   compared, since it is made of io.tex; without that beside it: described
 *     errata/errata-40.tex      compared: it quotes what was wrong
 *     known-good/names.tex      compared: made of an older edition
 *
 * A folder's name counts below what all files have in common. */
struct sources {
    const char **described;
    size_t n_described;
    const char **compared;
    size_t n_compared;
};

/* Sorts the files, without those to be skipped: each of these is a file's path, or its end from a slash on. -1 when one
 * of these is the name of none, which it has said. */
int sources_sort(char *const files[], size_t n, char *const skipped[], size_t n_skipped, struct sources *out);

#endif
