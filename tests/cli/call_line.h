/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of `refrain text`, taken apart. Shares nothing with the decoder: docs/TEXT.md says what
 * a line is.
 *
 *     0.1  12  MPI_Put(origin_addr=&local, origin_count=2, origin_datatype=MPI_INT, …) = MPI_SUCCESS
 *     |    |   |       |                                                            |    |
 *     who  |   |       parameters                                     behind the last    result
 *          |   function
 *          who.number: 12, who.rank: 0, who.thread: 1 */
#ifndef TESTS_CLI_CALL_LINE_H
#define TESTS_CLI_CALL_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of a line; `at` is NULL if there is none. */
struct span {
    const char *at;
    size_t n;
};

struct call_name {
    long rank, thread, number;
};

struct call_line {
    struct call_name who;
    struct span function, parameters, result;
};

/* False if `line` is no such line. What is set points into it. */
bool call_line_parse(struct call_line *call, const char *line);

/* The value of a parameter as it is printed. */
struct span call_line_value(const struct call_line *call, const char *name);

/* "0.1:18": call 18 of thread 1 of rank 0. The character behind it, or NULL. */
const char *call_name_parse(struct call_name *name, const char *text);
/* Negative, zero or positive, by rank, thread and number. */
int call_name_compare(const struct call_name *a, const struct call_name *b);

bool span_is(struct span s, const char *text);
bool span_equal(struct span a, struct span b);
/* The number that the span begins with; false if it begins with none. */
bool span_number(struct span s, long long *number);

#endif
