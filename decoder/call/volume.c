/* SPDX-License-Identifier: BSD-3-Clause */
#include "volume.h"

#include "other_requests.h"

#include <assert.h>
#include <string.h>

void volume_source_start(struct volume_source *s, const struct reader *r, const struct definitions *d,
                         const struct roles *roles)
{
    const struct functable *t = &r->trace.functions;
    *s = (struct volume_source){.reader = r,
                                .definitions = d,
                                .roles = roles,
                                .proc_null = functable_value(t, "RANK", "MPI_PROC_NULL"),
                                .root = functable_value(t, "RANK", "MPI_ROOT"),
                                .in_place = functable_value(t, "ADDRESS", "MPI_IN_PLACE"),
                                .no_op = functable_handle(t, "OPERATION", "MPI_NO_OP"),
                                .comm_world = functable_handle(t, "COMMUNICATOR", "MPI_COMM_WORLD"),
                                .comm_self = functable_handle(t, "COMMUNICATOR", "MPI_COMM_SELF")};
}

/* ---- one call -------------------------------------------------------------------------------- */

struct adding {
    const struct volume_source *source;
    const struct call *call;
    const struct role *role;
    const struct row_view *row;
    struct volume_sum *sum;
    bool failed;            /* out of memory */
    struct volume fixed[3]; /* by enum volume_where */
};

static void use(struct adding *t, struct slot_range range, enum volume_use how)
{
    uint8_t *uses = t->sum->uses.items + range.at;
    for (uint32_t i = 0; i < range.n; i++)
        uses[i] = uses[i] > how ? uses[i] : (uint8_t)how;
}

/* Returns the first value of a range; `otherwise` if the range is empty. */
static int64_t value(const struct adding *t, struct slot_range range, int64_t otherwise)
{
    return range.n > 0 ? t->call->slots[range.at] : otherwise;
}

/* Is the partner MPI_PROC_NULL? */
static bool is_nobody(const struct adding *t, enum role_field field)
{
    const struct slot_range range = t->row->before[field];
    return range.n > 0 && t->call->slots[range.at] == t->source->proc_null;
}

static void add_term(struct adding *t, uint32_t slot, struct volume_term term)
{
    term.slot = slot;
    if (!array_push(&t->sum->terms, term))
        t->failed = true;
}

static bool is_in_place(struct adding *t, struct slot_range buffer)
{
    if (value(t, buffer, ADDRESS_UNKNOWN) != ADDRESS_CONSTANT)
        return false;
    use(t, (struct slot_range){buffer.at + 1, 1}, VOLUME_DECIDES);
    return t->call->slots[buffer.at + 1] == t->source->in_place;
}

static const struct member *member_of(const struct adding *t, int64_t comm)
{
    return comm & 1 ? NULL : definitions_member(t->source->definitions, t->call->rank, comm >> 1);
}

/* Returns the rank of this process in a communicator. It is known for MPI_COMM_WORLD and
 * communicators with a record; otherwise -1. */
static int64_t own_rank(const struct adding *t, int64_t comm)
{
    const struct member *m = member_of(t, comm);
    if (!(comm & 1))
        return m ? m->rank_in_comm : -1;
    return comm == t->source->comm_self ? 0 : t->call->rank;
}

/* From an array with a count for each process, selects the count of this process; nothing if its
 * rank is unknown. */
static struct slot_range select_own(struct adding *t, struct slot_range counts)
{
    const int64_t own = own_rank(t, value(t, t->row->before[FIELD_COMM], 1));
    t->sum->personal = true;
    return own >= 0 && own < (int64_t)counts.n ? (struct slot_range){counts.at + (uint32_t)own, 1}
                                               : (struct slot_range){0};
}

/* Returns for how many members a count holds; 1 if their number is unknown. */
static uint64_t sharers(struct adding *t, enum volume_share share)
{
    const int64_t comm = value(t, t->row->before[FIELD_COMM], 1);
    if (share == VOLUME_WHOLE)
        return 1;
    if (comm == t->source->comm_world)
        return t->source->reader->trace.n_ranks;
    const struct member *m = member_of(t, comm);
    t->sum->personal = true;
    if (!m)
        return 1;
    const struct communicator *c = &t->source->definitions->communicators.items[m->number];
    const bool inter = c->remote_size >= 0, first = !inter || m->second == (share == VOLUME_OF_PEERS);
    return (uint64_t)(first ? c->size : c->remote_size);
}

/* Adds count times size, element by element if they are arrays. The fields of count and datatype
 * come after `buffer`. */
static void take_side(struct adding *t, const struct role_volume *side, enum role_field buffer)
{
    const bool received = buffer == FIELD_RECEIVED_BUFFER;
    const bool own = side->where == VOLUME_OF_OWN;
    const enum volume_where where = own ? VOLUME_EVERYWHERE : side->where;
    const struct slot_range all = t->row->before[buffer + 1], types = t->row->before[buffer + 2],
                            counts = own ? select_own(t, all) : all;
    const uint32_t n = side->counted ? counts.n : 1;
    if (!side->datatype || is_in_place(t, t->row->before[buffer]) || n == 0 || types.n == 0)
        return;
    use(t, types, VOLUME_DECIDES);
    use(t, counts, VOLUME_AMOUNT);
    const uint64_t times = sharers(t, side->share);
    for (uint32_t i = 0; i < n; i++) {
        const int64_t handle = t->call->slots[types.at + (i < types.n ? i : types.n - 1)];
        const int64_t size = definitions_type_size(t->source->definitions, t->call->rank, handle);
        struct volume *fixed = &t->fixed[where];
        if (!(handle & 1))
            t->sum->personal = true;
        if (size > 0 && side->counted)
            add_term(
                t, counts.at + i,
                (struct volume_term){.size = (uint64_t)size * times, .received = received, .where = where});
        else if (size > 0)
            *(received ? &fixed->received : &fixed->sent) += (uint64_t)size * times;
    }
}

/* Does status i belong to a message? */
static bool is_of_message(struct adding *t, uint32_t i)
{
    const struct other_requests *others = t->source->others;
    const struct slot_range requests = t->row->before[FIELD_REQUESTS], indices = t->row->after[FIELD_INDICES];
    int64_t at = i;
    if (!others || others->items.n == 0 || requests.n == 0)
        return true;
    t->sum->personal = true;
    use(t, requests, VOLUME_DECIDES);
    if (indices.n > 0) {
        use(t, indices, VOLUME_DECIDES);
        at = i < indices.n ? t->call->slots[indices.at + i] : -1;
    }
    return at < 0 || at >= (int64_t)requests.n ||
           !other_requests_have(others, t->call->rank, t->call->thread, t->call->slots[requests.at + at]);
}

/* If the call reports an error, the status of each request says whether that request failed. */
static bool has_failed(struct adding *t, uint32_t status)
{
    if (t->row->error == 0)
        return false;
    use(t, (struct slot_range){status + STATUS_ERROR, 1}, VOLUME_DECIDES);
    return t->call->slots[status + STATUS_ERROR] != 0;
}

/* After a test without success, the statuses mean nothing. */
static void take_statuses(struct adding *t)
{
    const struct slot_range statuses = t->row->after[FIELD_STATUSES];
    if (t->role->received.where != VOLUME_IN_STATUS || value(t, t->row->after[FIELD_FLAG], 1) == 0)
        return;
    for (uint32_t i = 0; i < statuses.n; i++) {
        const uint32_t at = statuses.at + i * STATUS_SLOTS;
        const int64_t *s = t->call->slots + at;
        use(t, (struct slot_range){at + STATUS_FORM, 1}, VOLUME_DECIDES);
        use(t, (struct slot_range){at + STATUS_CANCELLED, 1}, VOLUME_DECIDES);
        if (s[STATUS_FORM] & STATUS_PARTIAL || s[STATUS_CANCELLED] == 1 || has_failed(t, at) ||
            !is_of_message(t, i))
            continue;
        use(t, (struct slot_range){at + STATUS_BYTES, 1}, VOLUME_AMOUNT);
        add_term(
            t, at + STATUS_BYTES,
            (struct volume_term){.size = 1, .received = true, .positive = true, .where = VOLUME_EVERYWHERE});
    }
}

/* Marks the scalars that decide about volumes. */
static void use_scalars(struct adding *t)
{
    use(t, t->row->before[FIELD_ROOT], VOLUME_DECIDES);
    use(t, t->row->before[FIELD_COMM], VOLUME_DECIDES);
    use(t, t->row->before[FIELD_OPERATOR], VOLUME_DECIDES);
    use(t, t->row->after[FIELD_FLAG], VOLUME_DECIDES);
    use(t, t->row->before[FIELD_DEST], VOLUME_PARTNER);
    use(t, t->row->before[FIELD_TARGET], VOLUME_PARTNER);
}

/* Is this process the root? */
static bool at_root(struct adding *t, int64_t root)
{
    const int64_t comm = value(t, t->row->before[FIELD_COMM], 1);
    const struct member *m = member_of(t, comm);
    t->sum->personal = true;
    if (root == t->source->root)
        return true;
    if (m && t->source->definitions->communicators.items[m->number].remote_size >= 0)
        return false; /* a root that is given as a rank is in the other group */
    return own_rank(t, comm) == root;
}

/* Keeps the terms that hold for this process. */
static void select_terms(struct adding *t)
{
    struct volume_sum *sum = t->sum;
    const struct slot_range in_row = t->row->before[FIELD_ROOT];
    const int64_t root = value(t, in_row, -1);
    /* In an intercommunicator, only the root takes part in the root's group, and only as the
     * root. */
    const bool idle = in_row.n > 0 && root == t->source->proc_null,
               only_root = in_row.n > 0 && root == t->source->root;
    bool rooted = false,
         chosen[] = {
             [VOLUME_EVERYWHERE] = !idle && !only_root, [VOLUME_AT_ROOT] = false, [VOLUME_ELSEWHERE] = false};
    size_t kept = 0;
    for (size_t i = 0; i < sum->terms.n; i++)
        rooted = rooted || sum->terms.items[i].where != VOLUME_EVERYWHERE;
    for (enum volume_where k = VOLUME_AT_ROOT; k <= VOLUME_ELSEWHERE; k++)
        rooted = rooted || t->fixed[k].sent + t->fixed[k].received > 0;
    if (rooted && !idle)
        chosen[at_root(t, root) ? VOLUME_AT_ROOT : VOLUME_ELSEWHERE] = true;

    for (enum volume_where k = VOLUME_EVERYWHERE; k <= VOLUME_ELSEWHERE; k++)
        volume_add(&sum->fixed, t->fixed[k], chosen[k]);
    const bool no_target = is_nobody(t, FIELD_TARGET);
    /* With MPI_NO_OP, the origin's buffer is not read (MPI 4.1, 12.3.4). */
    const bool nothing_sent = no_target || is_nobody(t, FIELD_DEST) ||
                              value(t, t->row->before[FIELD_OPERATOR], -1) == t->source->no_op;
    if (nothing_sent)
        sum->fixed.sent = 0;
    if (no_target)
        sum->fixed.received = 0;
    for (size_t i = 0; i < sum->terms.n; i++) {
        const struct volume_term term = sum->terms.items[i];
        if (chosen[term.where] && !no_target && (term.received || !nothing_sent))
            sum->terms.items[kept++] = term;
    }
    sum->terms.n = kept;
}

enum refrain_status volume_sum_clear(struct volume_sum *sum, uint32_t n_slots)
{
    sum->fixed = (struct volume){0};
    sum->personal = false;
    sum->terms.n = sum->uses.n = 0;
    if (!array_reserve(&sum->uses, (size_t)n_slots + 1))
        return REFRAIN_ERR_MEMORY;
    sum->uses.n = n_slots;
    memset(sum->uses.items, VOLUME_UNUSED, n_slots + (size_t)1);
    return REFRAIN_OK;
}

enum refrain_status volume_sum_take(const struct volume_source *s, const struct call *call,
                                    const struct row_view *row, struct volume_sum *sum)
{
    assert(sum->uses.n == call->n_slots);
    struct adding t = {
        .source = s, .call = call, .role = &s->roles->items[call->function], .row = row, .sum = sum};
    if (!role_has_volume(t.role))
        return REFRAIN_OK;
    use_scalars(&t);
    take_side(&t, &t.role->sent, FIELD_SENT_BUFFER);
    if (!s->only_sent) {
        take_side(&t, &t.role->received, FIELD_RECEIVED_BUFFER);
        take_statuses(&t);
    }
    if (t.failed)
        return REFRAIN_ERR_MEMORY;
    if (row->failed)
        sum->terms.n = 0;
    else
        select_terms(&t);
    return REFRAIN_OK;
}

enum refrain_status volume_sum_of(const struct volume_source *s, const struct call *call,
                                  struct volume_sum *sum)
{
    const struct role *role = &s->roles->items[call->function];
    struct row_view row;
    enum refrain_status status = volume_sum_clear(sum, call->n_slots);
    if (status != REFRAIN_OK || !role_moves(role))
        return status;
    status = row_view_look(&row, &s->reader->trace.functions, role, call->function, call->slots,
                           call->n_slots, sum->uses.items);
    return status == REFRAIN_OK && row.returned ? volume_sum_take(s, call, &row, sum) : status;
}

bool volume_has_nobody(const struct volume_source *s, int64_t least, int64_t most)
{
    return s->proc_null >= least && s->proc_null <= most;
}

void volume_sum_free(struct volume_sum *sum)
{
    array_free(&sum->terms);
    array_free(&sum->uses);
}

struct volume volume_of_term(const struct volume_term *term, int64_t value)
{
    const uint64_t bytes = term->positive && value < 0 ? 0 : (uint64_t)value * term->size;
    return term->received ? (struct volume){.received = bytes} : (struct volume){.sent = bytes};
}

struct volume volume_at(const struct volume_sum *sum, const int64_t *slots)
{
    struct volume v = sum->fixed;
    for (size_t i = 0; i < sum->terms.n; i++)
        volume_add(&v, volume_of_term(&sum->terms.items[i], slots[sum->terms.items[i].slot]), 1);
    return v;
}

void volume_add(struct volume *to, struct volume v, uint64_t times)
{
    to->sent += v.sent * times;
    to->received += v.received * times;
}
