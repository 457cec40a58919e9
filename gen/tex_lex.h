/* SPDX-License-Identifier: BSD-3-Clause */
/* LaTeX as gen sees it: commands, arguments, and the text of environments.
 *
 * Comments (% to the end of the line, unless \%), verbatim environments, comment environments, \verb and
 * \iffalse … \fi hide what is in them, and so do definitions of macros. Marks of drafts are gone (draft_marks.h). */
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

/* A command: "mpibind"; with its argument for \begin and \end: "begin{funcdef}". */
struct tex_command {
    struct source_position place;
    const char *name;
};

/* Reads a whole file. -1 if that cannot be done, which it has said. */
int tex_open(const char *file, struct tex *out);
struct source_position tex_position(const struct tex *tex);
/* Goes after the next command: 1, 0 at the end of the file, -1 when an environment never ends. */
int tex_next(struct tex *tex, struct tex_command *out);
/* Reads the argument {…} that comes next, with blanks and comments before it; -1 if there is none or it does
 * not end, which it has said. The text is without comments and without its braces. */
int tex_argument(struct tex *tex, const char **out);
/* Does another argument follow? */
bool tex_has_argument(struct tex *tex);
/* The text up to \end{environment}, as it stands; goes after that. -1, without going on, if it does not come before
 * the next \begin{environment}. `begin` is the place of the \begin. */
int tex_body(struct tex *tex, const char *environment, struct source_position begin, const char **out);
/* What a reader sees of an argument: \_ is _, ~ a blank, \ldots three dots; other commands and braces vanish,
 * blanks shrink to one. */
const char *tex_plain(const char *text);

#endif
