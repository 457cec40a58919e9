/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a model's text (docs/MODEL.md): events in the order of the model, as few lines as say the same.
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
 * A line has events of one template. Either they differ in nothing but who does them, or they are one *run*: from
 * one to the next each number grows by the same. */
#ifndef REFRAIN_MODEL_LINES_H
#define REFRAIN_MODEL_LINES_H

#include "construct_path.h"
#include "decoder/util/output.h"
#include "model.h"

struct model_lines {
    const struct model *m;
    struct output *out;
    int margin;                             /* the width of the paths in front; 0: there are none */
    struct construct_path path;             /* of what is added next, the caller's to set, … */
    struct construct_path first;            /* … and of the first of the events */
    ARRAY(const struct construct *) events; /* of one template and in a row, that have not been written */
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
/* The next event, message or collective operation of the model; it is written sooner or later. */
enum refrain_status model_lines_add(struct model_lines *l, const struct construct *c);
/* What stands in front of a line: the path of `n` constructs in a row, "3.4-7" for several, and the indent.
 */
void model_lines_begin(struct model_lines *l, const struct construct_path *path, size_t n, uint32_t depth);
/* Writes all that is left, before anything else is. */
enum refrain_status model_lines_end(struct model_lines *l);

#endif
