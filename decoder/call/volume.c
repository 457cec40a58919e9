/* SPDX-License-Identifier: BSD-3-Clause */
#include "volume.h"

#include "other_requests.h"

#include <fnmatch.h>
#include <string.h>

enum side { SENT, RECEIVED };
enum where { EVERYWHERE, AT_ROOT, ELSEWHERE };

/* A datatype parameter and the count before it are a volume. Every rule whose function matches applies; the
 * patterns are fnmatch's with FNM_EXTMATCH, without regard to case, and the _c of large-count procedures is
 * not looked at. */
struct volume_rule {
    const char *functions, *datatype;
    enum side side;
    enum where where;
};

static const struct volume_rule rules[] = {
    {"MPI_?(I)?([bsr])send", "datatype", SENT, EVERYWHERE},
    {"MPI_?(I)sendrecv", "sendtype", SENT, EVERYWHERE}, /* received: the status */
    {"MPI_?(I)sendrecv_replace", "datatype", SENT, EVERYWHERE},
    {"MPI_?(I)bcast", "datatype", SENT, AT_ROOT},
    {"MPI_?(I)bcast", "datatype", RECEIVED, ELSEWHERE},
    {"MPI_?(I)gather?(v)", "sendtype", SENT, EVERYWHERE},
    {"MPI_?(I)gather?(v)", "recvtype", RECEIVED, AT_ROOT},
    {"MPI_?(I)scatter?(v)", "sendtype", SENT, AT_ROOT},
    {"MPI_?(I)scatter?(v)", "recvtype", RECEIVED, EVERYWHERE},
    {"MPI_?(I)?(neighbor_)@(allgather|alltoall)?([vw])", "sendtype?(s)", SENT, EVERYWHERE},
    {"MPI_?(I)?(neighbor_)@(allgather|alltoall)?([vw])", "recvtype?(s)", RECEIVED, EVERYWHERE},
    {"MPI_?(I)@(allreduce|scan|exscan)", "datatype", SENT, EVERYWHERE},
    {"MPI_?(I)@(allreduce|scan|exscan)", "datatype", RECEIVED, EVERYWHERE},
    {"MPI_?(I)reduce", "datatype", SENT, EVERYWHERE},
    {"MPI_?(I)reduce", "datatype", RECEIVED, AT_ROOT},
    {"MPI_?(I)reduce_scatter?(_block)", "datatype", SENT, EVERYWHERE},
    {"MPI_?(R)@(put|accumulate|get_accumulate)", "origin_datatype", SENT, EVERYWHERE},
    {"MPI_?(R)get", "origin_datatype", RECEIVED, EVERYWHERE},
    {"MPI_?(R)get_accumulate", "result_datatype", RECEIVED, EVERYWHERE},
    {"MPI_@(fetch_and_op|compare_and_swap)", "datatype", SENT, EVERYWHERE},
    {"MPI_@(fetch_and_op|compare_and_swap)", "datatype", RECEIVED, EVERYWHERE},
    {"MPI_File_?(i)write*", "datatype", SENT, EVERYWHERE},
    {"MPI_File_iread*", "datatype", RECEIVED, EVERYWHERE}, /* of others: the status */
};

/* Functions whose statuses are of messages (or of reads) that this very call ends. Those of probes and of
 * MPI_Request_get_status tell of messages that another call takes. Which requests are none of messages,
 * other_requests.h knows. */
static const char *const receivers[] = {"MPI_?(m)recv", "MPI_Sendrecv?(_replace)",
                                        "MPI_@(Wait|Test)?(all|any|some)", "MPI_File_read*"};

static bool matches(const char *pattern, const char *name)
{
    return fnmatch(pattern, name, FNM_EXTMATCH | FNM_CASEFOLD) == 0;
}

void volume_plan(struct volume_plan *plan, const char *function)
{
    char name[64];
    size_t n = strlen(function);
    *plan = (struct volume_plan){0};
    if (n >= sizeof name)
        return;
    memcpy(name, function, n + 1);
    if (n > 2 && strcmp(name + n - 2, "_c") == 0)
        name[n - 2] = '\0';
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (matches(rules[i].functions, name))
            plan->rules[plan->n++] = &rules[i];
    }
    for (size_t i = 0; i < sizeof receivers / sizeof receivers[0]; i++)
        plan->statuses = plan->statuses || matches(receivers[i], name);
}

bool volume_plan_moves(const struct volume_plan *plan)
{
    return plan->n > 0 || plan->statuses;
}

/* ---- one call -------------------------------------------------------------------------------- */

/* What was seen so far while walking the row. */
struct walk {
    const struct volume_plan *plan;
    const struct reader *reader;
    const struct definitions *definitions;
    const struct call *call;
    struct volume_sum *form;
    bool failed;
    struct layout_item count; /* the last count; without kind: none yet */
    bool in_place;            /* the last buffer is MPI_IN_PLACE */
    bool no_dest, no_target;  /* MPI_PROC_NULL */
    bool no_operand;          /* MPI_NO_OP: the origin's buffer is not looked at (MPI 4.1, 12.3.4) */
    bool unfinished;          /* a test that said no: its statuses mean nothing */
    int64_t error;            /* what it returned; a call that failed has nothing behind that, */
    bool has_results;         /* unless it has, and did what these tell */
    struct layout_item requests, indices; /* whose statuses follow; without kind: there are none */
    struct volume fixed[3];               /* by enum where */
    bool has_root;
    int64_t root, comm; /* slots; root < 0 is no rank (MPI_ROOT, MPI_PROC_NULL) */
};

static void use(struct walk *w, const int64_t *slots, uint32_t n, enum volume_use how)
{
    uint8_t *uses = w->form->uses.items + (slots - w->call->slots);
    for (uint32_t i = 0; i < n; i++)
        uses[i] = uses[i] > how ? uses[i] : (uint8_t)how;
}

/* Where the next items lie depends on counts of arrays, lengths of strings and forms of addresses. */
static void use_shape(struct walk *w, const struct layout_item *item)
{
    if (item->param && item->param->flags & (PARAM_ARRAY | PARAM_NULLABLE))
        use(w, item->slots - 1, 1, VOLUME_DECIDES);
    if (item->kind->type == VALUE_STRING || item->kind->type == VALUE_STRINGS ||
        item->kind->type == VALUE_ADDRESS)
        use(w, item->slots, item->n_slots, VOLUME_DECIDES);
}

static bool has_name(const struct walk *w, const char *set, int64_t value, const char *name)
{
    const char *found = functable_constant(&w->reader->trace.functions, set, value);
    return found && strcmp(found, name) == 0;
}

static void add_term(struct walk *w, const int64_t *slot, struct volume_term term)
{
    term.slot = (uint32_t)(slot - w->call->slots);
    if (!array_push(&w->form->terms, term))
        w->failed = true;
}

/* Count times size, element by element where they are arrays. */
static void take_volume(struct walk *w, const struct layout_item *types, const struct volume_rule *rule)
{
    const struct layout_item *counts = w->count.kind ? &w->count : NULL;
    const int64_t n_counts = counts ? counts->count : 1, n_types = types->count;
    const bool received = rule->side == RECEIVED;
    if (n_counts < 0 || n_types <= 0)
        return;
    use(w, types->slots, types->n_slots, VOLUME_DECIDES);
    if (counts)
        use(w, counts->slots, counts->n_slots, VOLUME_AMOUNT);
    for (int64_t i = 0; i < n_counts; i++) {
        const int64_t handle = types->slots[i < n_types ? i : n_types - 1];
        const int64_t size = definitions_type_size(w->definitions, w->call->rank, handle);
        struct volume *fixed = &w->fixed[rule->where];
        if (!(handle & 1))
            w->form->personal = true;
        if (size > 0 && counts)
            add_term(
                w, counts->slots + i,
                (struct volume_term){.size = (uint64_t)size, .received = received, .where = rule->where});
        else if (size > 0)
            *(received ? &fixed->received : &fixed->sent) += (uint64_t)size;
    }
}

static void take_datatype(struct walk *w, const struct layout_item *item)
{
    for (unsigned i = 0; i < w->plan->n; i++) {
        const struct volume_rule *rule = w->plan->rules[i];
        if (!w->in_place && matches(rule->datatype, item->param->name))
            take_volume(w, item, rule);
    }
}

/* Is status i that of a message? */
static bool is_of_message(struct walk *w, uint32_t i)
{
    const struct layout_item *requests = &w->requests, *indices = &w->indices;
    int64_t at = i;
    if (!w->plan->others || w->plan->others->items.n == 0 || !requests->kind)
        return true;
    w->form->personal = true;
    use(w, requests->slots, requests->n_slots, VOLUME_DECIDES);
    if (indices->kind) {
        use(w, indices->slots, indices->n_slots, VOLUME_DECIDES);
        at = i < indices->n_slots ? indices->slots[i] : -1;
    }
    return at < 0 || at >= (int64_t)requests->n_slots ||
           !other_requests_have(w->plan->others, w->call->rank, w->call->thread, requests->slots[at]);
}

static void take_statuses(struct walk *w, const struct layout_item *item)
{
    enum { FORM = 0, BYTES = 4, CANCELLED = 5 };
    if (!w->plan->statuses || w->unfinished || item->count < 0)
        return;
    for (uint32_t i = 0; i + STATUS_SLOTS <= item->n_slots; i += STATUS_SLOTS) {
        const int64_t *s = item->slots + i;
        use(w, s + FORM, 1, VOLUME_DECIDES);
        use(w, s + CANCELLED, 1, VOLUME_DECIDES);
        if (s[FORM] & STATUS_PARTIAL || s[CANCELLED] == 1 || !is_of_message(w, i / STATUS_SLOTS))
            continue;
        use(w, s + BYTES, 1, VOLUME_AMOUNT);
        add_term(w, s + BYTES,
                 (struct volume_term){.size = 1, .received = true, .positive = true, .where = EVERYWHERE});
    }
}

/* Scalars that decide about volumes; looked up by name. */
static void take_scalar(struct walk *w, const struct layout_item *item)
{
    const char *name = item->param->name;
    const bool root = strcmp(name, "root") == 0, comm = strcmp(name, "comm") == 0;
    const bool dest = strcmp(name, "dest") == 0, target = strcmp(name, "target_rank") == 0;
    const bool flag = strcmp(name, "flag") == 0, op = strcmp(item->kind->name, "OPERATION") == 0;
    if (item->count != 1 || !(root || comm || dest || target || flag || op))
        return;
    const int64_t v = item->slots[0];
    use(w, item->slots, 1, dest || target ? VOLUME_PARTNER : VOLUME_DECIDES);
    if (root) {
        w->has_root = true;
        w->root = v;
    } else if (comm) {
        w->comm = v;
    } else if (dest) {
        w->no_dest = has_name(w, "RANK", v, "MPI_PROC_NULL");
    } else if (target) {
        w->no_target = has_name(w, "RANK", v, "MPI_PROC_NULL");
    } else if (op) {
        w->no_operand = v & 1 && has_name(w, "OPERATION", v >> 1, "MPI_NO_OP");
    } else {
        w->unfinished = v == 0;
    }
}

static void take(struct walk *w, const struct layout_item *item)
{
    use_shape(w, item);
    if (!item->param) {
        use(w, item->slots, 1, VOLUME_DECIDES);
        w->error = item->slots[0];
        return;
    }
    w->has_results = w->has_results || item->phase == LAYOUT_AFTER;
    if (item->kind->type == VALUE_ADDRESS && item->n_slots > 0)
        w->in_place = item->slots[0] == ADDRESS_CONSTANT && item->n_slots > 1 &&
                      has_name(w, item->kind->set, item->slots[1], "MPI_IN_PLACE");
    else if (item->kind->type == VALUE_STATUS)
        take_statuses(w, item);
    else if (strstr(item->kind->name, "XFER_NUM_ELEM"))
        w->count = *item;
    else if (strcmp(item->kind->name, "DATATYPE") == 0)
        take_datatype(w, item);
    else if (strcmp(item->kind->name, "REQUEST") == 0 && item->phase == LAYOUT_BEFORE)
        w->requests = *item;
    else if (strcmp(item->kind->name, "INDEX") == 0)
        w->indices = *item;
    else
        take_scalar(w, item);
}

/* Is this process the root? Its rank is known in MPI_COMM_WORLD and in communicators that a record tells of.
 */
static bool at_root(struct walk *w)
{
    int64_t rank = w->call->rank;
    w->form->personal = true;
    if (has_name(w, "RANK", w->root, "MPI_ROOT"))
        return true;
    if (!(w->comm & 1)) {
        const struct member *m = definitions_member(w->definitions, w->call->rank, w->comm >> 1);
        const bool inter = m && w->definitions->communicators.items[m->number].remote_size >= 0;
        rank = m && !inter ? m->rank_in_comm : -1; /* a root with a rank is in the other group */
    } else if (has_name(w, "COMMUNICATOR", w->comm >> 1, "MPI_COMM_SELF")) {
        rank = 0;
    }
    return rank == w->root;
}

/* Leave what holds for this process. */
static void select_terms(struct walk *w)
{
    struct volume_sum *form = w->form;
    /* Of an intercommunicator, the root's group takes part by the root alone, and that as nothing else. */
    const bool idle = w->has_root && has_name(w, "RANK", w->root, "MPI_PROC_NULL"),
               only_root = w->has_root && has_name(w, "RANK", w->root, "MPI_ROOT");
    bool rooted = false,
         chosen[] = {[EVERYWHERE] = !idle && !only_root, [AT_ROOT] = false, [ELSEWHERE] = false};
    size_t kept = 0;
    for (size_t i = 0; i < form->terms.n; i++)
        rooted = rooted || form->terms.items[i].where != EVERYWHERE;
    for (enum where k = AT_ROOT; k <= ELSEWHERE; k++)
        rooted = rooted || w->fixed[k].sent + w->fixed[k].received > 0;
    if (rooted && !idle)
        chosen[at_root(w) ? AT_ROOT : ELSEWHERE] = true;

    for (enum where k = EVERYWHERE; k <= ELSEWHERE; k++)
        volume_add(&form->fixed, w->fixed[k], chosen[k]);
    const bool nothing_sent = w->no_dest || w->no_target || w->no_operand;
    if (nothing_sent)
        form->fixed.sent = 0;
    if (w->no_target)
        form->fixed.received = 0;
    for (size_t i = 0; i < form->terms.n; i++) {
        const struct volume_term term = form->terms.items[i];
        if (chosen[term.where] && !w->no_target && (term.received || !nothing_sent))
            form->terms.items[kept++] = term;
    }
    form->terms.n = kept;
}

enum refrain_status volume_sum_of(const struct volume_plan *plan, const struct reader *r,
                                  const struct definitions *d, const struct call *call,
                                  struct volume_sum *form)
{
    struct walk w = {
        .plan = plan, .reader = r, .definitions = d, .call = call, .form = form, .root = -1, .comm = 1};
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;

    form->fixed = (struct volume){0};
    form->personal = false;
    form->terms.n = form->uses.n = 0;
    if (!array_reserve(&form->uses, (size_t)call->n_slots + 1))
        return REFRAIN_ERR_MEMORY;
    form->uses.n = call->n_slots;
    memset(form->uses.items, VOLUME_UNUSED, call->n_slots + (size_t)1);
    if (!volume_plan_moves(plan))
        return REFRAIN_OK;
    layout_start(&layout, &r->trace.functions, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status))
        take(&w, &item);
    if (status == REFRAIN_OK && w.failed)
        status = REFRAIN_ERR_MEMORY;
    if (status == REFRAIN_OK && w.error != 0 && !w.has_results)
        form->terms.n = 0;
    else if (status == REFRAIN_OK)
        select_terms(&w);
    return status;
}

bool volume_has_nobody(const struct reader *r, int64_t least, int64_t most)
{
    for (size_t i = 0; i < r->trace.functions.constants.n; i++) {
        const struct constant *c = &r->trace.functions.constants.items[i];
        if (c->value >= least && c->value <= most && strcmp(c->set, "RANK") == 0 &&
            strcmp(c->name, "MPI_PROC_NULL") == 0)
            return true;
    }
    return false;
}

void volume_sum_free(struct volume_sum *form)
{
    array_free(&form->terms);
    array_free(&form->uses);
}

struct volume volume_of_term(const struct volume_term *term, int64_t value)
{
    const uint64_t bytes = term->positive && value < 0 ? 0 : (uint64_t)value * term->size;
    return term->received ? (struct volume){.received = bytes} : (struct volume){.sent = bytes};
}

struct volume volume_at(const struct volume_sum *form, const int64_t *slots)
{
    struct volume sum = form->fixed;
    for (size_t i = 0; i < form->terms.n; i++)
        volume_add(&sum, volume_of_term(&form->terms.items[i], slots[form->terms.items[i].slot]), 1);
    return sum;
}

void volume_add(struct volume *to, struct volume v, uint64_t times)
{
    to->sent += v.sent * times;
    to->received += v.received * times;
}
