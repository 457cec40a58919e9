/* SPDX-License-Identifier: BSD-3-Clause */
/* Symbols that libraries export: a list with one symbol per line, as nm prints them. */
#ifndef GEN_EXPORTED_SYMBOLS_H
#define GEN_EXPORTED_SYMBOLS_H

#include <stdbool.h>

struct symbols;

/* NULL after an error message. */
struct symbols *symbols_read(const char *file);
bool symbols_has(const struct symbols *s, const char *name);

#endif
