/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks of drafts, which show what a ticket changes in the standard. */
#ifndef GEN_DRAFT_MARKS_H
#define GEN_DRAFT_MARKS_H

#include <stddef.h>

/* Replace each mark in the text by the text that it keeps, and return the new length. Lines keep
 * their numbers. A mark in a comment stays, and so does a mark without all its arguments, such as
 * in a macro's definition. A mark without its end is an error; the text after it stays. */
size_t draft_marks_resolve(const char *file, char *text, size_t n);

#endif
