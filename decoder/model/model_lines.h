/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a model's text (docs/MODEL.md): writes events in the order of the model, on as few lines as
 * possible.
 *
 *     0 -> 1 tag5                        0-2 -> 1-3, 3 -> 0 tag5
 *     1 -> 2 tag5
 *     2 -> 3 tag5
 *     3 -> 0 tag5
 *
 *     0 send 1 tag70                     0-8:4 send 1-9:4 tag70-72
 *     4 send 5 tag71
 *     8 send 9 tag72
 *
 * A line has events of one template. Either they differ only in their processes, or they are one *run*: each
 * number grows by a constant step from one event to the next. */
#ifndef REFRAIN_MODEL_LINES_H
#define REFRAIN_MODEL_LINES_H

#include "construct_path.h"
#include "decoder/util/output.h"
#include "model.h"

struct model_lines {
    const struct model *m;
    struct output *out;
    int margin;                             /* the width of the paths in front; 0: there are none */
    struct construct_path path;             /* of the construct that is added next; set by the caller */
    struct construct_path first;            /* of the first element of `events` */
    ARRAY(const struct construct *) events; /* of one template, in a row, not written yet */
    bool *seen;                             /* by process: it has an event in the line; false between uses */
    ARRAY(struct line_event {
        const struct construct *construct;
        bool written;
    })
    line;                                /* scratch */
    struct bytes tail, first_tail, name; /* scratch */
};

enum refrain_status model_lines_start(struct model_lines *l, const struct model *m, int margin,
                                      struct output *out);
void model_lines_free(struct model_lines *l);
/* Adds the next event, message or collective operation of the model. It may be written later. */
enum refrain_status model_lines_add(struct model_lines *l, const struct construct *c);
/* Writes the start of a line: the path of `n` constructs in a row ("3.4-7" for several) and the indent.
 */
void model_lines_begin(struct model_lines *l, const struct construct_path *path, size_t n, uint32_t depth);
/* Writes all events that are left. Call it before writing other text. */
enum refrain_status model_lines_end(struct model_lines *l);

#endif
