#include "volume.h"

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
};

/* Functions whose statuses are of messages (or of reads) that this very call ends. Those of probes and of
 * MPI_Request_get_status tell of messages that another call takes. */
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

/* ---- one call --------------------------------------------------------------------------------------------
 */

/* What was seen so far while walking the row. */
struct walk {
    const struct volume_plan *plan;
    const struct reader *reader;
    const struct definitions *definitions;
    const struct call *call;
    bool *used, personal;
    struct layout_item count; /* the last count; without kind: none yet */
    bool in_place;            /* the last buffer is MPI_IN_PLACE */
    bool no_dest, no_target;  /* MPI_PROC_NULL */
    bool unfinished;          /* a test that said no: its statuses mean nothing */
    struct volume volume[3];  /* by enum where */
    int64_t root, comm;       /* slots; root < 0 is no rank (MPI_ROOT, MPI_PROC_NULL) */
};

static void use(struct walk *w, const int64_t *slots, uint32_t n)
{
    if (w->used && n > 0)
        memset(w->used + (slots - w->call->slots), true, n);
}

/* Where the next items lie depends on counts of arrays, lengths of strings and forms of addresses. */
static void use_shape(struct walk *w, const struct layout_item *item)
{
    if (item->param && item->param->flags & (PARAM_ARRAY | PARAM_NULLABLE))
        use(w, item->slots - 1, 1);
    if (item->kind->type == VALUE_STRING || item->kind->type == VALUE_STRINGS ||
        item->kind->type == VALUE_ADDRESS)
        use(w, item->slots, item->n_slots);
}

static bool has_name(const struct walk *w, const char *set, int64_t value, const char *name)
{
    const char *found = functable_constant(&w->reader->trace.functions, set, value);
    return found && strcmp(found, name) == 0;
}

/* Count times size, element by element where they are arrays. */
static uint64_t bytes_of(struct walk *w, const struct layout_item *types)
{
    const struct layout_item *counts = w->count.kind ? &w->count : NULL;
    const int64_t n_counts = counts ? counts->count : 1, n_types = types->count;
    uint64_t bytes = 0;
    if (n_counts < 0 || n_types <= 0)
        return 0;
    use(w, types->slots, types->n_slots);
    if (counts)
        use(w, counts->slots, counts->n_slots);
    for (int64_t i = 0; i < n_counts; i++) {
        const int64_t handle = types->slots[i < n_types ? i : n_types - 1];
        const int64_t size = definitions_type_size(w->definitions, w->call->rank, handle);
        if (!(handle & 1))
            w->personal = true;
        if (size > 0)
            bytes += (uint64_t)(counts ? counts->slots[i] : 1) * (uint64_t)size;
    }
    return bytes;
}

static void take_datatype(struct walk *w, const struct layout_item *item)
{
    for (unsigned i = 0; i < w->plan->n; i++) {
        const struct volume_rule *rule = w->plan->rules[i];
        if (w->in_place || !matches(rule->datatype, item->param->name))
            continue;
        const uint64_t bytes = bytes_of(w, item);
        if (rule->side == SENT)
            w->volume[rule->where].sent += bytes;
        else
            w->volume[rule->where].received += bytes;
    }
}

static void take_statuses(struct walk *w, const struct layout_item *item)
{
    enum { FORM = 0, BYTES = 4 };
    if (!w->plan->statuses || w->unfinished || item->count < 0)
        return;
    for (uint32_t i = 0; i + STATUS_SLOTS <= item->n_slots; i += STATUS_SLOTS) {
        const int64_t *s = item->slots + i;
        use(w, s + FORM, 1);
        use(w, s + BYTES, 1);
        if (!(s[FORM] & STATUS_PARTIAL) && s[BYTES] > 0)
            w->volume[EVERYWHERE].received += (uint64_t)s[BYTES];
    }
}

/* Scalars that decide about volumes; looked up by name. */
static void take_scalar(struct walk *w, const struct layout_item *item)
{
    const char *name = item->param->name;
    const bool root = strcmp(name, "root") == 0, comm = strcmp(name, "comm") == 0;
    const bool dest = strcmp(name, "dest") == 0, target = strcmp(name, "target_rank") == 0;
    const bool flag = strcmp(name, "flag") == 0;
    if (item->count != 1 || !(root || comm || dest || target || flag))
        return;
    const int64_t v = item->slots[0];
    use(w, item->slots, 1);
    if (root)
        w->root = v;
    else if (comm)
        w->comm = v;
    else if (dest)
        w->no_dest = has_name(w, "RANK", v, "MPI_PROC_NULL");
    else if (target)
        w->no_target = has_name(w, "RANK", v, "MPI_PROC_NULL");
    else
        w->unfinished = v == 0;
}

static void take(struct walk *w, const struct layout_item *item)
{
    use_shape(w, item);
    if (!item->param)
        return;
    if (item->kind->type == VALUE_ADDRESS && item->n_slots > 0)
        w->in_place = item->slots[0] == ADDRESS_CONSTANT && item->n_slots > 1 &&
                      has_name(w, item->kind->set, item->slots[1], "MPI_IN_PLACE");
    else if (item->kind->type == VALUE_STATUS)
        take_statuses(w, item);
    else if (strstr(item->kind->name, "XFER_NUM_ELEM"))
        w->count = *item;
    else if (strcmp(item->kind->name, "DATATYPE") == 0)
        take_datatype(w, item);
    else
        take_scalar(w, item);
}

/* Is this process the root? Its rank is known in MPI_COMM_WORLD and in communicators that a record tells of.
 */
static bool at_root(struct walk *w)
{
    int64_t rank = w->call->rank;
    w->personal = true;
    if (has_name(w, "RANK", w->root, "MPI_ROOT"))
        return true;
    if (!(w->comm & 1)) {
        const struct member *m = definitions_member(w->definitions, w->call->rank, w->comm >> 1);
        rank = m ? m->rank_in_comm : -1;
    } else if (has_name(w, "COMMUNICATOR", w->comm >> 1, "MPI_COMM_SELF")) {
        rank = 0;
    }
    return rank == w->root;
}

enum refrain_status volume_of(const struct volume_plan *plan, const struct reader *r,
                              const struct definitions *d, const struct call *call, bool *used,
                              bool *personal, struct volume *out)
{
    struct walk w = {
        .plan = plan, .reader = r, .definitions = d, .call = call, .used = used, .root = -1, .comm = 1};
    struct layout layout;
    struct layout_item item;
    enum refrain_status status;

    *out = (struct volume){0};
    *personal = false;
    if (plan->n == 0 && !plan->statuses)
        return REFRAIN_OK;
    layout_start(&layout, &r->trace.functions, call->function, call->slots, call->n_slots);
    while (layout_next(&layout, &item, &status))
        take(&w, &item);
    if (status != REFRAIN_OK)
        return status;

    struct volume sum = w.volume[EVERYWHERE];
    const struct volume *root = &w.volume[AT_ROOT], *others = &w.volume[ELSEWHERE];
    if (root->sent + root->received + others->sent + others->received > 0 &&
        !has_name(&w, "RANK", w.root, "MPI_PROC_NULL")) {
        const struct volume *part = at_root(&w) ? root : others;
        sum.sent += part->sent;
        sum.received += part->received;
    }
    if (w.no_dest || w.no_target)
        sum.sent = 0;
    if (w.no_target)
        sum.received = 0;
    *personal = w.personal;
    *out = sum;
    return REFRAIN_OK;
}
