/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files meetings*.c. */
#ifndef REFRAIN_MEETINGS_IMPL_H
#define REFRAIN_MEETINGS_IMPL_H

#include "meetings.h"

/* Has the step a number that changes with an index of the outer `depth` loops? */
bool meetings_changes(const struct step *s, uint32_t depth);

/* ---- channels (meetings_ends.c) -------------------------------------------------------------- */

/* One end of a message: a send or receive of one process, with a partner that is known. */
struct end {
    uint32_t process; /* the process that sends or receives */
    uint32_t partner; /* the first process of the partner's rank; MAP_NONE: not a process of the program */
    uint64_t line;    /* key of the pair of sending and receiving rank */
    uint64_t channel; /* key of the channel */
};

bool meetings_is_message(const struct meetings *m, const struct step *s);
/* Returns the first process of the rank of a process. */
uint32_t meetings_first_of(const struct meetings *m, uint32_t process);
/* The act's step is a message whose partner does not move, or is in an open loop. */
struct end end_find(const struct meetings *m, const struct body_act *a);
/* Is the order of the messages of both ranks known? */
bool end_is_known(const struct meetings *m, const struct end *e);
/* Notes that the process uses this side of the channel. If another thread of its rank does so too, the order
 * of the messages is unknown, and the channel is marked. Returns false if memory is short. */
bool end_own(struct meetings *m, const struct end *e, bool sends);
/* end_break marks a channel whose sends and receives do not meet. end_break_all marks all channels with the
 * tag of an act; if not `any_number`, only those with the act's own numbers. Return false if memory is
 * short. */
bool end_break(struct meetings *m, const struct step *s, const struct end *e);
bool end_break_all(struct meetings *m, const struct body_act *a, bool any_number);
/* Is the act's channel marked? `moves`: the partner moves with an index, so the message may be on any channel
 * of its tag. */
bool end_is_broken(const struct meetings *m, const struct body_act *a, bool moves);

/* ---- one body (meetings_body.c) -------------------------------------------------------------- */

/* Pairs the acts of a body as if it were all of the program. `closed`, by step: loops that do not open; NULL:
 * none. The caller frees the mates, also after an error. */
enum refrain_status meetings_pair(const struct meetings *m, const struct steps *body, const bool *closed,
                                  struct mates *out);
/* Does the partner of the act move with an index, outside of open loops? */
bool mates_moves(const struct mates *m, uint32_t act, const struct body_act *a);

#endif
