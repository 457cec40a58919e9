/* SPDX-License-Identifier: BSD-3-Clause */
/* One call for people (docs/TEXT.md) and as JSON. For many calls of a lane use lines.h. */
#ifndef REFRAIN_RENDER_H
#define REFRAIN_RENDER_H

#include "decoder/trace/cursor.h"
#include "decoder/trace/definitions.h"
#include "decoder/trace/names.h"
#include "decoder/trace/symbols.h"
#include "decoder/util/json.h"

/* RENDER_TEXT   0  16  MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=0) = MPI_SUCCESS
 * RENDER_JSON   {"rank":0,"call":16,"function":"MPI_Comm_rank","parameters":{"comm":"MPI_COMM_WORLD",
 *               "rank":0},"result":"MPI_SUCCESS","site":[{"module":"app","offset":4563}]}      in one line
 *
 * In JSON, "thread" follows "rank" if the thread is not 0. A parameter that was read and written is
 * {"before":…,"after":…}. A parameter that should have been written but was not is null, and so is the result
 * of a call that has not returned. */
enum render_format { RENDER_TEXT, RENDER_JSON };

struct hole;

struct renderer {
    const struct reader *reader;
    struct symbols *symbols; /* for call sites and static variables; NULL unless the owner sets it */
    bool callsites;          /* does the text of a line end with the call site? False unless set */
    const struct definitions *definitions;
    struct names names;
    struct names_set *of_kind; /* the names of each kind's values */
    struct names_set arrays, ranks, tags, errors;
    /* The current call, by parameter; an item without a kind is absent. */
    const struct function *function;
    struct layout_item *before, *after, result;
    struct bytes text; /* of one value, for JSON */
    /* Used while a line with holes is made (lines.h): which slots vary; the values that have such slots. */
    const bool *varies;
    ARRAY(struct hole) holes;
};

enum refrain_status renderer_create(struct renderer *r, const struct reader *reader,
                                    const struct definitions *d);
void renderer_free(struct renderer *r);

/* Appends "MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=0) = MPI_SUCCESS". Fails, and appends nothing, if the
 * slots do not fit the function. */
enum refrain_status render_call(struct renderer *r, const struct call *call, struct bytes *out);

/* Appends the value of the parameter with this name, as in render_call; nothing if the function has no such
 * parameter. */
enum refrain_status render_argument(struct renderer *r, const struct call *call, const char *name,
                                    struct bytes *out);

/* A line consists of the head, the number of the call, and the rest, without a newline. Calls of a site with
 * equal slots differ only in the number. render_rest and render_line fail like render_call. */
void render_head(enum render_format format, uint32_t rank, uint32_t thread, struct bytes *out);
enum refrain_status render_rest(struct renderer *r, enum render_format format, const struct call *call,
                                struct bytes *out);
enum refrain_status render_line(struct renderer *r, enum render_format format, const struct call *call,
                                struct bytes *out);

#endif
