/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of messages that a call sends and receives, as far as its own record says.
 *
 * Sent: count times the size of the datatype; counts of the v and w collectives are summed up, a count that
 * holds for every member of the communicator is taken for each, the own one, too (of a neighbourhood once:
 * how many neighbours there are is not known here). So MPI_Gather moves what MPI_Gatherv does. Received: what
 * the statuses say; for collectives count times size again. A rooted collective has its root-only side at the
 * root. Nothing goes to or comes from MPI_PROC_NULL, nothing is sent from MPI_IN_PLACE, or with MPI_NO_OP.
 * Creating a persistent request moves nothing, and neither do its starts, whose records do not name the
 * message. Files count as partners: written is sent, read is received; of a non-blocking read or write, when
 * it begins, as much as is asked for. A call or request that failed moves nothing (a receive whose buffer is
 * too short has got some of its message, but nothing says how much), and neither does what was cancelled. */
#ifndef REFRAIN_VOLUME_H
#define REFRAIN_VOLUME_H

#include "decoder/trace/cursor.h"
#include "decoder/trace/definitions.h"
#include "row_view.h"

struct volume {
    uint64_t sent, received;
};

struct other_requests;

/* The inputs, besides calls. */
struct volume_source {
    const struct reader *reader;
    const struct definitions *definitions;
    const struct roles *roles;
    int64_t proc_null, root, in_place, no_op, comm_world, comm_self; /* as slots have them */
    /* Unless the caller sets these, all statuses count, and what is received counts, too. */
    const struct other_requests *others; /* except for the statuses of these */
    bool only_sent;
};
/* All arguments must stay valid. */
void volume_source_start(struct volume_source *s, const struct reader *r, const struct definitions *d,
                         const struct roles *roles);

/* What a call moves, as a function of its slots: a sum of slots times sizes. It holds for all calls of a rank
 * that have the same in the slots that decide; of a partner it only matters whether it is nobody. */
enum volume_use { VOLUME_UNUSED = SLOT_UNUSED, VOLUME_AMOUNT, VOLUME_PARTNER, VOLUME_DECIDES = SLOT_DECIDES };

struct volume_sum {
    struct volume fixed;
    ARRAY(struct volume_term {
        uint32_t slot;
        uint64_t size; /* of one */
        bool received; /* or sent */
        bool positive; /* what is less than 0 counts as 0 */
        enum volume_where where;
    })
    terms;
    ARRAY(uint8_t) uses; /* enum volume_use, by slot */
    bool personal;       /* depends on the rank, not only on the slots */
};

/* Of a call of call->rank, call->thread, nothing if it has not returned; what the sum held before is
 * overwritten. */
enum refrain_status volume_sum_of(const struct volume_source *s, const struct call *call,
                                  struct volume_sum *sum);
/* The two steps of it, for who looks at the row anyway: all slots are unused; what the fields of the row say.
 * Of a call that makes a persistent request, here it is what each start moves. */
enum refrain_status volume_sum_clear(struct volume_sum *sum, uint32_t n_slots);
enum refrain_status volume_sum_take(const struct volume_source *s, const struct call *call,
                                    const struct row_view *row, struct volume_sum *sum);
struct volume volume_of_term(const struct volume_term *term, int64_t value);
struct volume volume_at(const struct volume_sum *sum, const int64_t *slots);
void volume_sum_free(struct volume_sum *sum);

/* Is MPI_PROC_NULL one of these ranks? */
bool volume_has_nobody(const struct volume_source *s, int64_t least, int64_t most);

void volume_add(struct volume *to, struct volume v, uint64_t times);

#endif
