/* SPDX-License-Identifier: BSD-3-Clause */
/* LaTeX as gen reads it: commands, arguments, and the text of environments.
 *
 * Text is hidden in comments (% to the end of the line, but not \%), verbatim and comment
 * environments, \verb, \iffalse … \fi, and definitions of macros. Marks of drafts have been removed
 * (draft_marks.h). */
#ifndef GEN_TEX_LEX_H
#define GEN_TEX_LEX_H

#include "interface_model.h"

struct tex {
    const char *file;
    char *text;
    size_t n;
    size_t at;
    int line; /* of text[at], from 1 */
};

/* A command: "mpibind"; for \begin and \end with the argument: "begin{funcdef}". */
struct tex_command {
    struct source_position place;
    const char *name;
};

/* Read a whole file. -1 after an error message. */
int tex_open(const char *file, struct tex *out);
struct source_position tex_position(const struct tex *tex);
/* Read the next command: 1, 0 at the end of the file, -1 if an environment does not end. */
int tex_next(struct tex *tex, struct tex_command *out);
/* Read the argument {…} that follows, after blanks and comments. -1 after an error message, if
 * there is none or it does not end. The text has neither comments nor the outer braces. */
int tex_argument(struct tex *tex, const char **out);
/* Whether another argument follows. */
bool tex_has_argument(struct tex *tex);
/* Read the text up to \end{environment}, unchanged, and skip that. -1, without skipping anything,
 * if it does not come before the next \begin{environment}. `begin` is the place of the \begin. */
int tex_body(struct tex *tex, const char *environment, struct source_position begin, const char **out);
/* An argument as printed: \_ is _, ~ a blank, \ldots three dots; other commands and braces are
 * removed, and blanks are reduced to one. */
const char *tex_plain(const char *text);

#endif
