/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of parts of a program's statements, shared by text output, JSON and notes. */
#ifndef REFRAIN_STATEMENT_TEXT_H
#define REFRAIN_STATEMENT_TEXT_H

#include "decoder/logical/logical.h"

/* Appends the partner as a direction: "x+1", "rank+1", "i0". */
void statement_put_partner(const struct logical *l, const struct step *s, struct bytes *out);
/* Texts of numbers that are too long for a line, without repeats: [1], [2], … */
struct footnotes {
    struct text_table texts;
};
void footnotes_free(struct footnotes *f);
/* Appends one line per footnote: "[1]: {0-1: 0, 2-3: 3, …}". */
void footnotes_put(const struct footnotes *f, struct bytes *out);

/* Appends a number as a formula (formula.h). If it has no formula, cases are written, {80 if x == 0, 120 if x
 * > 0}, or values by rank, {0-3: 80, 4: 7}. `brackets`: put brackets around a formula that is more than a
 * number. `footnotes` NULL: long texts are written in full. */
void statement_put_number(const struct logical *l, const struct step *s, const struct number *n,
                          bool brackets, struct footnotes *footnotes, struct bytes *out);
/* Appends the name of a procedure, or "part3" if it has none. */
void statement_put_name(const struct logical *l, uint32_t procedure, struct bytes *out);

#endif
