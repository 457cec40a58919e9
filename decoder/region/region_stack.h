/* SPDX-License-Identifier: BSD-3-Clause */
/* The regions that a thread is in, while its calls are walked: parts of the program that it has named itself
 * (refrain_region_begin, …_end), and levels of MPI_Pcontrol.
 *
 *     calls    begin(a)  Send  begin(b)  Recv  end(b)  end(a)  Pcontrol(3)  Send  Pcontrol(1)
 *     regions  a         a     a b       a b   a b     a       level 3      3     3
 *
 * A region has the calls that begin and end it inside. Programs make mistakes, and regions are nested all the same:
 *
 *     end(x)               ends the innermost open region of that name, and before it those inside: they are crossed
 *     end(x) without x     does nothing: it is unmatched
 *     end(NULL)            ends the innermost open region
 *     Pcontrol(L)          ends the region of the level before. All levels but 0, 1 and 2 are regions; 2 changes
 *                          nothing
 *     too deep             what lies deeper than REGION_DEPTH regions is none */
#ifndef REFRAIN_REGION_STACK_H
#define REFRAIN_REGION_STACK_H

#include <assert.h>

#include "decoder/call/role.h"
#include "decoder/trace/cursor.h"
#include "decoder/util/text_table.h"

#define REGION_DEPTH 1024

/* How often regions were not as they should be. */
struct region_faults {
    uint64_t unmatched, crossed, unended, deep;
};

struct region_open {
    uint32_t name;  /* its number among the names */
    bool level;     /* of MPI_Pcontrol */
    uint64_t call;  /* that begins it, of the lane; */
    uint64_t enter; /* when that was, as the caller has it */
};

struct region_stack {
    const struct reader *reader;
    const struct roles *roles;
    struct text_table *names;       /* of all regions that were met */
    ARRAY(struct region_open) open; /* outermost first */
    uint64_t deep;                  /* that are open beyond these */
    struct region_faults faults;
    struct bytes text; /* scratch */
};

/* What a call changes: the innermost regions end, then maybe one begins. */
struct region_step {
    size_t ends;
    bool begins;
    struct region_open region; /* that begins, but for `enter` */
};

/* All but the name table are the stack's. */
void region_stack_start(struct region_stack *s, const struct reader *r, const struct roles *roles,
                        struct text_table *names);
void region_stack_stop(struct region_stack *s); /* also of a zeroed struct */

/* May a call of the function change anything? */
static inline bool region_stack_concerns(const struct region_stack *s, uint32_t function)
{
    return role_has_region(&s->roles->items[function]);
}

/* The effect of a call on the stack, without opening or closing regions yet; records a new name, a mistake, or too deep nesting. */
enum refrain_status region_stack_look(struct region_stack *s, const struct call *call,
                                      struct region_step *step);
/* The innermost region ends, for step.ends times; then this one begins. */
void region_stack_pop(struct region_stack *s);
enum refrain_status region_stack_push(struct region_stack *s, const struct region_step *step, uint64_t enter);

static inline const struct region_open *region_stack_innermost(const struct region_stack *s)
{
    assert(s->open.n > 0);
    return &s->open.items[s->open.n - 1];
}

/* The lane's calls are over: what is still open is unended. It stays open, for the caller to pop. */
void region_stack_note_end(struct region_stack *s);
void region_faults_add(struct region_faults *to, const struct region_faults *from);
/* In a sentence; nothing if there are none. */
void region_faults_put(const struct region_faults *f, struct bytes *out);

#endif
