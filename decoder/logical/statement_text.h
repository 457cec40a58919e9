/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a program's statements: what text, JSON and notes say alike. */
#ifndef REFRAIN_STATEMENT_TEXT_H
#define REFRAIN_STATEMENT_TEXT_H

#include "logical.h"

/* The partner, as a direction: "x+1", "rank+1", "i0". */
void statement_put_partner(const struct logical *l, const struct step *s, struct bytes *out);
/* Texts of numbers that are too long for a line, each once: [1], [2], … */
struct footnotes {
    struct text_table texts;
};
void footnotes_free(struct footnotes *f);
/* "[1]: {0-1: 0, 2-3: 3, …}", a line each. */
void footnotes_put(const struct footnotes *f, struct bytes *out);

/* A number, as a formula (formula.h); if it has none by cases, {80 if x == 0, 120 if x > 0}, or by rank, {0-3: 80, 4: 7}.
 * `brackets`: around a formula that is more than a number. `footnotes`: NULL for whole texts. */
void statement_put_number(const struct logical *l, const struct step *s, const struct number *n,
                          bool brackets, struct footnotes *footnotes, struct bytes *out);
/* "part3", or what a procedure is called. */
void statement_put_name(const struct logical *l, uint32_t procedure, struct bytes *out);

#endif
