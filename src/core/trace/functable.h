/* SPDX-License-Identifier: BSD-3-Clause */
/* The function table: it describes the slots of each function's calls.
 *
 * gen makes it from the MPI standard. The tracer writes the functions that a run used into the trace file.
 * The reader needs only this table. A call is a row of 64-bit slots; the table says which slots belong to
 * which parameter:
 *
 *     row  =  before: each parameter that is IN or INOUT, in order
 *             the return value (one slot; none for procedures that return nothing)
 *             after: each parameter that is OUT or INOUT, in order; absent as a whole when the call failed
 *
 * A call that has not returned, because the program ended in it, has only the part before the call.
 *
 *     MPI_Recv(buf, 8, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, &status)
 *     slots    2 | 8 | (k<<1)|1 | 1 | 5 | (k<<1)|1 | 0 | 0 1 5 0 64 0
 *              ptr count  type    src tag   comm     rc  status
 *
 * A parameter takes slots by its kind's value type:
 *
 *     INT, FLAGS     the value
 *     REAL           the bits of a double
 *     HANDLE         predefined: (index of its constant << 1) | 1; made by the program: symbol << 1;
 *                    requests and messages that another lane of the rank made, also
 *                    (that lane + 1) << HANDLE_LANE_SHIFT, where `@lane` says which thread that is
 *     ADDRESS        a form and what belongs to it: see ADDRESS_
 *     STRING         length, then ceil(length / 8) slots of bytes, lowest byte first, zero padded;
 *                    a length < 0 is an ARRAY_ code and ends it
 *     STRINGS        count or ARRAY_ code, then so many STRINGs (argv)
 *     STATUS         form (STATUS_ bits), source, tag, error, bytes, cancelled
 *
 * An array is a count and the elements, or only an ARRAY_ code. A nullable scalar is a slot with 1 and the
 * value, or only ARRAY_NULL. */
#ifndef REFRAIN_FUNCTABLE_H
#define REFRAIN_FUNCTABLE_H

#include "src/core/base/array.h"
#include "src/core/base/bytes.h"
#include "src/core/base/status.h"

enum value_type {
    VALUE_INT,
    VALUE_FLAGS,
    VALUE_REAL,
    VALUE_HANDLE,
    VALUE_ADDRESS,
    VALUE_STRING,
    VALUE_STRINGS,
    VALUE_STATUS,
    VALUE_TYPES /* how many */
};

/* Codes used instead of an array's count or a string's length if there are no elements to keep. */
enum {
    ARRAY_NULL = -1,   /* a null pointer where that is allowed */
    ARRAY_UNUSED = -2, /* not significant in this process (root-only parameters elsewhere) */
    ARRAY_CODE = -16,  /* a named sentinel: ARRAY_CODE - n is the constant with value n in set "ARRAY" */
};

/* The forms of an address. Offsets are in bytes; numbers count the segments of one form and rank. */
enum {
    ADDRESS_CONSTANT = 1, /* the constant's value */
    ADDRESS_UNKNOWN,      /* alone */
    ADDRESS_STACK,        /* offset from the stack pointer at the call */
    ADDRESS_STATIC,       /* the module: low 32 bits of XXH64 of its name; offset in its file */
    ADDRESS_HEAP,         /* number of the block, offset in it */
    ADDRESS_MAP,          /* number of a region of mmap, offset */
    ADDRESS_MPI,          /* number of a piece of memory from MPI_Alloc_mem, offset */
    ADDRESS_WINDOW,       /* the same of memory of a window that MPI allocated; of one process */
    ADDRESS_DEVICE,       /* number of the device, number of the allocation, offset */
    ADDRESS_FORMS         /* one more than the last */
};
enum { HANDLE_LANE_SHIFT = 33 }; /* symbols have 32 bits */

/* The slots of a status, and bits of its form. */
enum {
    STATUS_FORM,
    STATUS_SOURCE,
    STATUS_TAG,
    STATUS_ERROR,
    STATUS_BYTES,
    STATUS_CANCELLED,
    STATUS_SLOTS /* how many */
};
enum {
    STATUS_IGNORED = 1, /* the application passed MPI_STATUS(ES)_IGNORE; the values were still read */
    STATUS_PARTIAL = 2  /* only error and cancelled mean anything (send and most collective requests) */
};

/* The kind of a parameter, as in the standard: RANK, TAG, COMMUNICATOR … */
struct kind {
    char *name;    /* "COMMUNICATOR" */
    uint32_t type; /* enum value_type */
    char *set;     /* the set of constants that names its values, "" for none: "COMMUNICATOR", "RANK" */
    char *prefix;  /* of the symbols of a HANDLE kind, "" otherwise: "comm" */
};

enum { PARAM_IN = 1, PARAM_OUT = 2, PARAM_ARRAY = 4, PARAM_NULLABLE = 8 };

struct param {
    char *name;
    uint32_t kind; /* index into kinds */
    uint32_t flags;
};

struct function {
    char *name;
    uint32_t result; /* kind of the return value + 1; 0: none */
    uint32_t n_params;
    struct param *params;
};

/* A named value. For HANDLE kinds `value` is the constant's index; otherwise what the application passes. */
struct constant {
    char *set;
    int64_t value;
    char *name;
};

struct functable {
    ARRAY(struct kind) kinds;
    ARRAY(struct function) functions;
    ARRAY(struct constant) constants;
};

void functable_free(struct functable *t);
/* Return the name of a value in a set; NULL if the value has none. If there are several, the first one. */
const char *functable_constant(const struct functable *t, const char *set, int64_t value);
/* Return the value of a name in a set (NULL: any set). FUNCTABLE_UNUSED, which is not an MPI value, if the
 * table does not have the name: a run's table has only the names that the run used. */
#define FUNCTABLE_UNUSED INT64_MIN
int64_t functable_value(const struct functable *t, const char *set, const char *name);
/* The same for a handle; returns its slot as in a row. */
int64_t functable_handle(const struct functable *t, const char *set, const char *name);
/* Add a deep copy of one entry, and of the kinds that it uses if they are missing; for building a file's
 * table. An entry that exists (a function with this name; a constant with the same set, value and name) is
 * not added again. A function or kind with the same name and another meaning is an error. */
enum refrain_status functable_add_function(struct functable *t, const struct functable *from,
                                           uint32_t function, uint32_t *index);
enum refrain_status functable_add_constant(struct functable *t, const char *set, int64_t value,
                                           const char *name);
void functable_encode(const struct functable *t, struct bytes *out);
enum refrain_status functable_decode(struct bytes_reader *in, struct functable *out);

/* ---- walking a row --------------------------------------------------------------------------- */

enum layout_phase { LAYOUT_BEFORE, LAYOUT_RESULT, LAYOUT_AFTER };

/* One parameter's (or the return value's) place in a row. */
struct layout_item {
    enum layout_phase phase;
    const struct param *param; /* NULL for the return value */
    const struct kind *kind;
    const int64_t *slots; /* of the elements; after the count or code of an array */
    int64_t count;        /* elements; 1 for scalars; an ARRAY_ code (< 0) when there are none to keep */
    uint32_t n_slots;     /* of the elements together */
};

struct layout {
    const struct functable *table;
    const struct function *function;
    const int64_t *slots;
    uint32_t n, at;
    uint32_t param;
    enum layout_phase phase;
};

void layout_start(struct layout *l, const struct functable *t, uint32_t function, const int64_t *slots,
                  uint32_t n);
/* Get the next item. Returns false at the end, and if the slots do not fit the function (then *status is
 * REFRAIN_ERR_FORMAT, otherwise REFRAIN_OK). Never reads beyond the slots. */
bool layout_next(struct layout *l, struct layout_item *item, enum refrain_status *status);
/* For a row with varying slots, which stands for many rows: does a varying slot decide how many slots the
 * next item has? In a list of strings, each slot does. If not, layout_next gives the item of all these
 * rows. */
bool layout_is_undecided(const struct layout *l, const bool *varies);
/* Return the number of slots of one value of a type at `slots`; more than `n` if the value is cut off. */
uint32_t layout_value_slots(enum value_type type, const int64_t *slots, uint32_t n);

/* Which slots of a row hold ranks (kind RANK or RANK_NNI, and the source of a status)? Sets is_rank[0 … n-1].
 */
enum refrain_status layout_ranks(const struct functable *t, uint32_t function, const int64_t *slots,
                                 uint32_t n, bool *is_rank);

#endif
