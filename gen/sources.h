/* SPDX-License-Identifier: BSD-3-Clause */
/* Divide the files of the standard's source tree by their use. */
#ifndef GEN_SOURCES_H
#define GEN_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

/* The files that describe the interface, and those that are only compared with it:
 *
 *     chap-io/io.tex            described
 *     chap-io/io-rendered.tex   compared, since it is made from io.tex; without io.tex: described
 *     errata/errata-40.tex      compared: it quotes errors
 *     known-good/names.tex      compared: made from an older edition
 *
 * A folder's name counts only below the folder that all files have in common. */
struct sources {
    const char **described;
    size_t n_described;
    const char **compared;
    size_t n_compared;
};

/* Sort the files, except the skipped ones. An element of `skipped` is a file's path, or its end
 * after a slash. -1 if no file has that name; this has been printed. */
int sources_sort(char *const files[], size_t n, char *const skipped[], size_t n_skipped, struct sources *out);

#endif
