/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that print statements. */
#ifndef REFRAIN_PRINTER_H
#define REFRAIN_PRINTER_H

#include "annotations.h"
#include "statement_text.h"

#include "decoder/logical/condition.h"
#include "decoder/logical/joint/joint.h"
#include "decoder/util/output.h"

struct printer {
    const struct logical *logical;
    struct joint *joint;             /* NULL: sends and receives are printed separately */
    const struct annotations *notes; /* NULL: none; otherwise each statement has its own line */
    struct footnotes *footnotes;
    struct output *out;
    const char *condition;  /* replaces the condition of the current lines; NULL: use theirs */
    struct process_set all; /* processes of the current lines, when they have no condition */
};

/* (logical_text.c) */
void printer_put_indent(const struct printer *p, uint32_t indent);
/* Appends a piece of a form. `k` is the index of the next number of the step. */
void printer_put_piece(const struct printer *p, const struct step *s, const char *text, size_t n,
                       uint32_t *k);
/* Appends "   if x > 0"; nothing if the step is for all processes. */
void printer_put_condition(const struct printer *p, const struct step *s);
/* Appends `before` and the note of a step of the program; nothing if it has no note. */
void printer_put_note(const struct printer *p, const char *before, const struct step *s);
/* Print steps in their own order; printer_put_part prints one step that is a part of step `of`. */
enum refrain_status printer_put_steps(struct printer *p, const struct steps *steps, uint32_t indent);
enum refrain_status printer_put_part(struct printer *p, const struct step *s, const struct step *of,
                                     uint32_t indent);
/* Prints the messages from `at` to `end` - 1 on one line. */
enum refrain_status printer_put_messages(const struct printer *p, const struct steps *steps, size_t at,
                                         size_t end, const struct step *of, uint32_t indent);
/* Prints a body of the program. */
enum refrain_status printer_put_body(struct printer *p, const struct steps *steps, uint32_t indent);

#endif
