/* SPDX-License-Identifier: BSD-3-Clause */
/* What libraries export: a list of symbols, one a line, as nm prints them. */
#ifndef GEN_EXPORTED_SYMBOLS_H
#define GEN_EXPORTED_SYMBOLS_H

#include <stdbool.h>

struct symbols;

/* NULL after a message. */
struct symbols *symbols_read(const char *file);
bool symbols_has(const struct symbols *s, const char *name);

#endif
