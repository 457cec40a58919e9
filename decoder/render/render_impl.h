/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the renderers of text and JSON: single values, and the holes that lines.h fills. */
#ifndef REFRAIN_RENDER_IMPL_H
#define REFRAIN_RENDER_IMPL_H

#include "render.h"

/* One value in a row: an element of an array, or a scalar. */
struct value {
    const int64_t *slots;
    uint32_t n;
};

/* Goes to the next value of an item. A walk starts with {item->slots, 0}, which the first step moves to the
 * first value. */
void value_step(struct value *v, const struct layout_item *item);

/* Sorts the items of a call into r->before, r->after and r->result. */
enum refrain_status render_collect(struct renderer *r, const struct call *call);

/* Appends a value as text. In an array, *first is true until an element is printed: then no separator is
 * needed. Nested arrays are printed as one flat array. `first` is NULL for a scalar. */
void render_value(struct renderer *r, uint32_t rank, const struct kind *kind, struct value v, bool *first,
                  struct bytes *out);
/* Returns the text for the code of an array without elements: "NULL", "unused", "MPI_UNWEIGHTED". */
const char *render_code(const struct renderer *r, int64_t code);
/* Returns the name of a value of this kind; NULL if the value has no name. */
const char *render_name(const struct renderer *r, const struct kind *kind, int64_t value);
bool render_is_null(const struct renderer *r, const struct kind *kind, int64_t handle);

/* A value whose slots vary between the calls of a row: its place in the text of the rest, and the slots to
 * print at this place for other calls of the row. */
struct hole {
    size_t at, end; /* in the text, with the separator and the key before it */
    const struct kind *kind;
    const char *key; /* in JSON; NULL: none */
    struct hole_slots {
        uint32_t at, n; /* in the row */
    } value, after;     /* `after`: the value after the call; n = 0: not known */
    bool separated;     /* a separator comes before the value */
};

/* Call this when a value has been appended to `out`, from `at` on. Notes a hole if a line with holes is being
 * made and a slot of the value varies. `after` may be NULL. */
void render_note_hole(struct renderer *r, const struct call *call, size_t at, bool separated, const char *key,
                      const struct kind *kind, struct value value, const struct value *after,
                      struct bytes *out);
/* Append the value that another call has in a hole. */
void render_hole_text(struct renderer *r, const struct call *call, const struct hole *hole,
                      struct bytes *out);
void render_hole_json(struct renderer *r, const struct call *call, const struct hole *hole,
                      struct bytes *out);
/* Appends the rest of a JSON line (render.h). */
enum refrain_status render_rest_json(struct renderer *r, const struct call *call, struct bytes *out);

/* Copies the characters of a STRING value to r->text. Returns false if the value is a code. */
bool render_string(struct renderer *r, struct value v);

#endif
