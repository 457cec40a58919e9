/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of one rank that calls one site, put together by hand: rows, the order in which they come, columns.
 */
#ifndef REFRAIN_TEST_SITE_CALLS_H
#define REFRAIN_TEST_SITE_CALLS_H

#include "decoder/trace/definitions.h"
#include "decoder/trace/reader.h"

enum site_calls_function {
    SITE_SEND,   /* count datatype dest comm | result */
    SITE_SSEND,  /* count datatype dest tag comm | result */
    SITE_TEST,   /* result | flag status */
    SITE_VALUES, /* name(a string of 1 to 8 characters) request(3 values) | result | address, request(3) */
    SITE_FUNCTIONS
};
enum { SITE_SEND_SLOTS = 5, SITE_SSEND_SLOTS = 6, SITE_TEST_SLOTS = 8, SITE_VALUES_SLOTS = 14 };

struct site_calls {
    struct trace trace;
    struct reader reader;
    struct definitions definitions; /* the datatype (handle slot 1) has 8 bytes */
    struct group *group;
    struct lane_ref lane;
};

/* So many calls, without rows. */
void site_calls_create(struct site_calls *s, enum site_calls_function function, uint64_t calls);
void site_calls_add_row(struct site_calls *s, const int64_t *slots, uint32_t n);
/* Of a slot, COLUMN_ORDER or COLUMN_FILLER, in this order. Takes the series. */
void site_calls_add_column(struct site_calls *s, uint32_t slot, struct series *series);
void site_calls_free(struct site_calls *s);

/* Everything at random, regular in part; sound. */
void site_calls_make(struct site_calls *s, uint64_t *state, enum site_calls_function function);

#endif
