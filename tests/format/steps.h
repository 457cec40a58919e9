/* SPDX-License-Identifier: BSD-3-Clause */
/* What each section's file offers: reading the section into the trace, in the order of the text, and asking
 * for values. */
#ifndef SECOND_READER_STEPS_H
#define SECOND_READER_STEPS_H

#include "trace.h"

/* ---- container.c */

void read_container(struct trace *t, struct input *in);
/* NULL if the section is left out. */
struct input *section(struct trace *t, unsigned number);
/* Nothing may be left over. */
void section_end(const struct input *in);
void read_meta(struct trace *t);

/* ---- annex.c */

/* What follows the last block. */
void read_annex(struct trace *t, struct input *in, bool apart);
/* NULL if there is none. */
struct piece *find_piece(const struct trace *t, uint64_t rank, uint64_t kind, uint64_t lane);
void read_clocks(struct trace *t);
/* What rank 0's clock showed when a rank's showed `local`. */
uint64_t global_time(const struct trace *t, uint64_t rank, uint64_t local);

/* ---- functions.c */

void read_functions(struct trace *t);
/* Whether the slots are a call of the function. */
bool row_fits(const struct trace *t, const struct function *f, const int64_t *slots, size_t n);

/* ---- sites.c */

void read_sites(struct trace *t);

/* ---- rules.c */

/* a + b × c, a length that must stay below 2^63. */
uint64_t lengthen(const struct input *in, uint64_t a, uint64_t b, uint64_t c);
uint64_t rule_length(const struct rule *rule);
void read_pool(struct trace *t, unsigned number, struct pool *p);
/* Which part of an expansion value number i is in; *i becomes its number in that part. */
size_t find_part(const uint64_t *ends, size_t n, uint64_t *i);
/* Terminal number i < rule_length(rule) of the rule's expansion. */
uint64_t rule_at(const struct rule *rule, uint64_t i);
/* How often each site stands in the root's expansion. */
void count_sites(const struct pool *p, const struct rule *root, uint64_t *sites);

/* ---- series.c */

uint64_t body_length(const struct body *body);
/* `last` is the value of the leaf before. */
struct body get_body(struct input *in, unsigned depth, uint64_t *last);
int64_t series_at(const struct body *series, uint64_t i);
void read_series(struct trace *t);
const struct body *get_ranks(struct input *in, const struct trace *t, uint64_t number);
uint64_t ranks_count(const struct trace *t, const struct body *ranks);
/* Whether the rank is in the set, and as which. */
bool ranks_find(const struct trace *t, const struct body *ranks, uint64_t rank, uint64_t *ordinal);

/* ---- lists.c */

struct lists;
/* The tables of lists that are made of others, and how many they are. */
struct lists *get_lists(struct input *in, const struct trace *t, size_t *n);
/* Work them out, as the first of the n series, and end their tables. */
void make_lists(const struct input *in, struct lists *l, struct body *series, size_t n);

/* ---- plain.c */

/* n >= 2 values into `values`, which are 0. */
void get_plain(struct input *in, int64_t *values, size_t n);

/* ---- slots.c */

/* `slots` slots from number `at` on, of which one operation fills some; how many it filled. *next is the
 * series behind the one named last; NULL where nothing is named so. */
size_t get_slots(struct input *in, const struct trace *t, struct slot *slots, size_t at, size_t n,
                 const struct row *reference, uint64_t *next);
void read_signatures(struct trace *t);
/* The lists of a slot have a value for each of n ranks. */
void check_lists(const struct input *in, const struct slot *slot, uint64_t n);
int64_t slot_at(const struct trace *t, const struct slot *slot, uint64_t rank, uint64_t ordinal);

/* ---- shapes.c */

void read_shapes(struct trace *t);

/* ---- times.c */

/* After the lanes are expanded: timings have as many calls. */
void read_times(struct trace *t);

/* ---- coder.c */

void coder_start(struct coder *c, const struct input *block);
/* A number of n bits. */
uint64_t coder_raw(struct coder *c, unsigned n);
/* The next symbol, less than n. */
uint32_t coder_symbol(struct coder *c, struct contexts contexts, unsigned set, uint64_t n);

/* ---- stamps.c */

/* The times of the calls of a thread; NULL if the file has none. */
struct stamps *open_stamps(const struct trace *t, uint64_t rank, uint64_t lane);
/* Millionths; of the function, that of its intervals. */
uint64_t stamps_base(const struct stamps *s, const struct function *f);
uint64_t stamps_floor(const struct stamps *s);
uint64_t stamps_bound(const struct stamps *s);
uint64_t stamps_unit(const struct stamps *s); /* 0: by grids */
uint64_t first_stamp(const struct piece *p);  /* when the first call of a thread began */
/* Of the next call, which is at that site. False: the trace has none of it. */
bool next_stamps(struct stamps *s, const struct trace *t, size_t site, uint64_t *entry, uint64_t *leaving);
/* All of them have been read. */
void close_stamps(struct stamps *s);

/* ---- records.c */

enum work { PRINT, PRINT_TIMES, CHECK, COMPARE };

/* What becomes of the calls of one lane. */
struct output {
    enum work work;
    uint64_t rank;
    const struct shape *shape;
    struct input record;
    struct stamps *stamps; /* NULL: its calls are not timed */
    bool timed;            /* the call at hand is */
    uint64_t origin;       /* the first call of the rank began then, by rank 0's clock */
    uint64_t calls;        /* so far */
    uint64_t end, told;    /* of the call before, by the record and by the trace */
};

struct input open_record(const char *directory, uint64_t rank, unsigned kind, uint64_t thread);
/* The call of that site with these slots; its times are compared if there are any. */
void compare_call(struct output *o, const struct site *site, const int64_t *slots, size_t n, uint64_t entry,
                  uint64_t leaving);
void print_call(const struct output *o, const struct site *site, const int64_t *slots, size_t n);
void print_times(const struct output *o, const struct site *site, uint64_t entry, uint64_t leaving);

/* ---- calls.c */

/* Expands all lanes of all ranks, and compares them with the records in `raw`, or prints them or their times;
 * the number of calls of threads. */
uint64_t expand(struct trace *t, enum work work, const char *raw);
/* Each record is that of a lane of the trace, unless it has no calls. */
void check_directory(const struct trace *t, const char *raw);

#endif
