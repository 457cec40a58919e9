/* SPDX-License-Identifier: BSD-3-Clause */
/* The marks of drafts, which show what a ticket changed. */
#ifndef GEN_DRAFT_MARKS_H
#define GEN_DRAFT_MARKS_H

#include <stddef.h>

/* Replaces each mark in the text by what it leaves in place, and returns how long the text is then. Lines keep their
 * numbers. A mark in a comment stays, and so does what lacks its arguments, such as a macro's definition. A mark whose end is missing is
 * refused: what follows it stays. */
size_t draft_marks_resolve(const char *file, char *text, size_t n);

#endif
