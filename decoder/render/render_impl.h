/* SPDX-License-Identifier: BSD-3-Clause */
/* What the renderers of text and JSON share: values one by one, and those that lines.h fills in. */
#ifndef REFRAIN_RENDER_IMPL_H
#define REFRAIN_RENDER_IMPL_H

#include "render.h"

/* One value in a row: an element of an array, or a scalar. */
struct value {
    const int64_t *slots;
    uint32_t n;
};

/* From {item->slots, 0} to the first value of an item, and from each to the next. */
void value_step(struct value *v, const struct layout_item *item);

/* Put a call's items in their places: r->before, r->after, r->result. */
enum refrain_status render_collect(struct renderer *r, const struct call *call);

/* The text of a value. In an array, *first says that no element was printed yet (separators are put
 * accordingly, and arrays of arrays come out flat); NULL for a scalar. */
void render_value(struct renderer *r, uint32_t rank, const struct kind *kind, struct value v, bool *first,
                  struct bytes *out);
/* What stands for an array without elements: "NULL", "unused", "MPI_UNWEIGHTED". */
const char *render_code(const struct renderer *r, int64_t code);
/* The name of a value of a kind, or NULL. */
const char *render_name(const struct renderer *r, const struct kind *kind, int64_t value);
bool render_is_null(const struct renderer *r, const struct kind *kind, int64_t handle);

/* A value of a call whose slots vary: where it stands in the text of the line's rest, and what is to be
 * printed there in other calls of the row. */
struct hole {
    size_t at, end; /* in the text, with the separator and the key before it */
    const struct kind *kind;
    const char *key; /* in JSON; NULL: none */
    struct hole_slots {
        uint32_t at, n; /* in the row */
    } value, after;     /* what became of the value; n = 0: nothing is known of that */
    bool separated;     /* there is a separator */
};

/* After a value was put at the end of `out`, from `at` on: if a line with holes is made, and a slot of it
 * varies, it is a hole. `after` may be NULL. */
void render_note_hole(struct renderer *r, const struct call *call, size_t at, bool separated, const char *key,
                      const struct kind *kind, struct value value, const struct value *after,
                      struct bytes *out);
/* The value of another call in a hole. */
void render_hole_text(struct renderer *r, const struct call *call, const struct hole *hole,
                      struct bytes *out);
void render_hole_json(struct renderer *r, const struct call *call, const struct hole *hole,
                      struct bytes *out);
/* The rest of a JSON line. */
enum refrain_status render_rest_json(struct renderer *r, const struct call *call, struct bytes *out);

/* The characters of a STRING value, into r->text; false when it is a code. */
bool render_string(struct renderer *r, struct value v);

#endif
