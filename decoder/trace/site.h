/* SPDX-License-Identifier: BSD-3-Clause */
/* Printing call sites, with what symbols.h knows of them (NULL or zeroed: nothing). */
#ifndef REFRAIN_SITE_H
#define REFRAIN_SITE_H

#include "decoder/util/json.h"
#include "reader.h"
#include "symbols.h"

/* "exchange (halo.c:31) < main (halo.c:80)", innermost first: a location for each frame, and for each caller
 * that the frame's function was inlined into. Where less is known, "exchange (app+0x1f3c)" or "app+0x1f3c"; a
 * site without frames is nothing. */
void site_put_text(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out);
/* "exchange (halo.c:31)": the first of these. */
void site_put_place(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out);
/* " < main (halo.c:80)", if other sites of the same function have the same first location: the callers that tell this
 * one apart (site_callers.h), "…" for those between them; " +0x8c9a1" where only an offset differs. */
void site_put_callers(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out);
/* Both: the shortest text that no other site of the function has. */
void site_put_innermost(const struct trace *t, const struct symbols *s, uint32_t site, struct bytes *out);
/* "MPI_Recv at exchange (halo.c:31)": the same with the function. Prints nothing for an invalid site. */
void site_put_call(const struct reader *r, const struct symbols *s, uint32_t site, struct bytes *out);

/* "MPI_Recv (halo.c:31)", "MPI_Recv (halo.c:31, called by main (halo.c:80))": as short as possible; where no line is known, the
 * same as site_put_call. Sites that differ only in offsets, or in the name of the innermost function, print alike. */
void site_put_line(const struct reader *r, const struct symbols *s, uint32_t site, struct bytes *out);

/* "between MPI_Recv (halo.c:29) and MPI_Send (halo.c:31)", "between one MPI_Send (halo.c:31) and the next". If two sites
 * print alike, the first of their locations that is not the same follows: "between MPI_Send (halo.c:31, called by left
 * (halo.c:60)) and MPI_Send (halo.c:31, called by right (halo.c:70))"; or "between one MPI_Send (halo.c:31) and another MPI_Send (halo.c:31)".
 * Both are sites of the trace. */
void site_put_between(const struct reader *r, const struct symbols *s, uint32_t before, uint32_t after,
                      struct bytes *out);

/* How to get lines of the source, as a line, if no frame that was looked up has one; otherwise nothing, also
 * if an interpreter ran the program. */
void site_put_hint(const struct symbols *s, struct bytes *out);

/* [{"module":"app","offset":7996,"function":"exchange","file":"halo.c","line":31}, …]
 *
 * The last three members only where they are known. "inlined":true follows in a location whose function was
 * inlined into that of the next. */
void site_put_json(const struct trace *t, const struct symbols *s, uint32_t site, struct json *j,
                   const char *key);

#endif
