/* What the renderers of text and JSON share: values one by one. */
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

/* The text of a value. In an array, *first tells that no element was printed yet (separators are put
 * accordingly, and arrays of arrays come out flat); NULL for a scalar. */
void render_value(struct renderer *r, uint32_t rank, const struct kind *kind, struct value v, bool *first,
                  struct bytes *out);
/* What stands for an array without elements: "NULL", "unused", "MPI_UNWEIGHTED". */
const char *render_code(const struct renderer *r, int64_t code);
/* The name of an integer value of a set, or NULL. */
const char *render_name(const struct renderer *r, const char *set, int64_t value);
bool render_is_null(const struct renderer *r, const struct kind *kind, int64_t handle);

/* The characters of a STRING value, into r->text; false when it is a code. */
bool render_string(struct renderer *r, struct value v);

/* The fields of a STATUS, in the order of its slots. */
enum { STATUS_FORM, STATUS_SOURCE, STATUS_TAG, STATUS_ERROR, STATUS_BYTES, STATUS_CANCELLED };

#endif
