/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps that are printed on one line: what they have in common, and where the line ends. */
#ifndef REFRAIN_LINE_H
#define REFRAIN_LINE_H

#include "logical.h"

/* Returns how many steps from `at` on are one item of a line: 1, or 2 for a receive and a send that are an
 * exchange. */
size_t line_item(const struct logical *l, const struct steps *s, size_t at);
/* Returns the index after the line that starts at `at`: items that differ only in partner and numbers. */
size_t line_end(const struct logical *l, const struct steps *s, size_t at);
/* Counts the lines of `n` steps, with the lines of their bodies. */
size_t line_count(const struct logical *l, const struct steps *s, size_t at, size_t n);
/* The form of an event with a partner, split into "send", " tag#", " comm#"; the last piece may be empty. */
struct form_pieces {
    const char *verb, *middle, *end;
    size_t n_verb, n_middle, n_end;
};
struct form_pieces form_split(const struct logical *l, uint32_t form);

#endif
