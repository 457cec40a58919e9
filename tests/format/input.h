/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading numbers and strings (section 1), and the end of the program at the first fault. */
#ifndef SECOND_READER_INPUT_H
#define SECOND_READER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
    const char *name; /* for messages */
    const uint8_t *start, *at, *end;
};

extern const char *trace_name; /* for messages */

/* Print what is wrong with the file of that name and end with the status. */
__attribute__((noreturn, format(printf, 3, 4))) void leave(int status, const char *name, const char *format,
                                                           ...);
#define refuse(...) leave(2, trace_name, __VA_ARGS__)
void refuse_if(const struct input *in, bool wrong, const char *what);

/* Memory, all zero, also for n = 0. */
void *zeroed(size_t n, size_t size);
/* The whole file; its `start` is from malloc. */
struct input read_file(const char *name);

uint64_t left(const struct input *in);
const uint8_t *get(struct input *in, uint64_t n);
uint64_t get_fixed(struct input *in, unsigned n);
uint64_t get_uint(struct input *in);
int64_t get_int(struct input *in);
int64_t unzigzag(uint64_t v);
/* The number of entries that follow, each of at least so many bytes. */
size_t check_count(const struct input *in, uint64_t n, uint64_t least);
size_t get_count(struct input *in, uint64_t least);
/* A number of an entry of a table that has n. */
size_t get_below(struct input *in, uint64_t n);
char *get_string(struct input *in);

#endif
