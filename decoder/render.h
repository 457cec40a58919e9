/* One call for people (docs/TEXT.md) and as JSON. */
#ifndef REFRAIN_RENDER_H
#define REFRAIN_RENDER_H

#include "cursor.h"
#include "definitions.h"
#include "json.h"
#include "names.h"
#include "symbols.h"

struct renderer {
    const struct reader *reader;
    struct symbols *symbols; /* for call sites and static variables; NULL unless the owner sets it */
    const struct definitions *definitions;
    struct names names;
    /* The call at hand, by parameter; an item without a kind is absent. */
    const struct function *function;
    struct layout_item *before, *after, result;
    struct bytes text; /* of one value, for JSON */
};

enum refrain_status renderer_create(struct renderer *r, const struct reader *reader,
                                    const struct definitions *d);
void renderer_free(struct renderer *r);

/* MPI_Comm_rank(comm=MPI_COMM_WORLD, rank=0) = MPI_SUCCESS
 * Fails when the slots do not fit the function, with nothing appended. */
enum refrain_status render_call(struct renderer *r, const struct call *call, struct bytes *out);

/* RANK  INDEX  and the call, without a newline. */
enum refrain_status render_line(struct renderer *r, const struct call *call, struct bytes *out);

/* {"rank":0,"call":16,"function":"MPI_Comm_rank","parameters":{"comm":"MPI_COMM_WORLD","rank":0},
 *  "result":"MPI_SUCCESS","site":[{"module":"app","offset":4563}]}                 in one line, without a
 * newline
 *
 * "thread" follows "rank" where it is not 0. A parameter that is read and written is {"before":…,"after":…}
 * when it has both; one that was not written is null; so is the result of a call that
 * has not returned. */
enum refrain_status render_json(struct renderer *r, const struct call *call, struct bytes *out);

#endif
