/* SPDX-License-Identifier: BSD-3-Clause */
#include "notices.h"

#include "causes_text.h"
#include "decoder/trace/endings.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "efficiency.h"
#include "src/core/base/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const abouts[NOTICES] = {
    [NOTICE_RECORDING] = "recording", [NOTICE_UNRETURNED] = "unreturned", [NOTICE_UNMATCHED] = "unmatched",
    [NOTICE_ABSENT] = "absent",       [NOTICE_PROCESSOR] = "processor",   [NOTICE_POLLS] = "polls",
    [NOTICE_TRANSFERS] = "transfers", [NOTICE_WRAPPERS] = "wrappers",     [NOTICE_THREADS] = "threads"};

void notices_put(const struct notices *n, bool reasons, struct bytes *out)
{
    for (size_t i = reasons ? NOTICE_THREADS : 0; i < (reasons ? NOTICES : NOTICE_THREADS); i++) {
        const struct bytes *says = &n->items[i].says;
        bytes_put(out, says->data, says->n);
        text_put(out, says->n > 0 ? "\n" : "");
        out->failed = out->failed || says->failed;
    }
}

void notices_put_json(const struct notices *n, struct json *j)
{
    json_array(j, "notices");
    for (size_t i = 0; i < NOTICES; i++) {
        const struct notice *x = &n->items[i];
        j->out->failed = j->out->failed || x->says.failed;
        if (x->says.n == 0)
            continue;
        json_object(j, NULL);
        json_string(j, "about", abouts[i]);
        if (x->time > 0)
            json_real(j, "seconds", (double)x->time * 1e-9);
        else
            json_null(j, "seconds");
        json_string_n(j, "says", (const char *)x->says.data, x->says.n);
        json_end(j);
    }
    json_end(j);
}

/* ---- recording ------------------------------------------------------------------------------- */

/* As a file has it (docs/FORMAT.md, META). */
#define META_START "REFRAIN_START"

#define CONTROL_SLOTS 8

/* May one of the rank's calls here be MPI_Pcontrol(0)? */
static bool turns_off(const struct entry *entry, uint32_t rank)
{
    const struct group *group;
    int64_t slots[CONTROL_SLOTS];
    uint64_t ordinal;
    if (entry_group(entry, rank, &group, &ordinal) != REFRAIN_OK)
        return false;
    bool may = false;
    for (size_t i = 0; i < group->columns.n; i++)
        may = may || group->columns.items[i].slot == 0;
    for (size_t i = 0; i < group->rows.n && !may; i++) {
        const struct row *row = &group->rows.items[i];
        may = row->n_slots == 0 || row->n_slots > CONTROL_SLOTS;
        if (!may)
            row_at(row, ordinal, rank, slots);
        may = may || slots[0] == 0;
    }
    return may;
}

/* Returns the time between a lane's calls at a site and its next calls. */
static uint64_t time_behind(const struct preceding *p, uint32_t lane, uint32_t behind)
{
    uint64_t sum = 0;
    for (size_t site = 0; p && site < p->n_sites; site++) {
        const struct preceding_site *x = p->sites[site];
        for (size_t i = 0; x && i < x->n; i++)
            sum += x->behind[i] == behind ? x->of_lane[i][lane].sum : 0;
    }
    return sum;
}

/* When recording was off: after MPI_Pcontrol(0), and from MPI_Init on if it did not start with that. */
struct off {
    bool by_control, by_start;
    uint64_t most, sum; /* ns: of a lane, and of all; 0: not known */
    uint32_t rank;      /* of the lane */
};

static void find_off(struct off *o, const struct wait_search *s, const struct preceding *p,
                     const struct lane_ref *lane)
{
    const uint32_t number = wait_lane_number(&s->lanes, lane->rank, lane->shape->number);
    uint64_t sum = 0;
    for (size_t i = 0; i < lane->shape->entries.n; i++) {
        const struct entry *entry = &lane->shape->entries.items[i];
        const struct role *role = &s->roles.items[s->reader->trace.sites.items[entry->site].function];
        const bool control = role->word == WORD_REGION_LEVEL && turns_off(entry, lane->rank);
        o->by_control = o->by_control || control;
        if (control || (o->by_start && role->actions & ROLE_INIT))
            sum += time_behind(p, number, entry->site);
    }
    o->sum += sum;
    o->rank = sum > o->most ? lane->rank : o->rank;
    o->most = sum > o->most ? sum : o->most;
}

static void put_off(const struct off *o, struct bytes *out)
{
    text_put(out, "Recording was off for ");
    if (o->most > 0) {
        text_put(out, "up to ");
        time_put(out, o->most);
        text_printf(out, " on rank %" PRIu32, o->rank);
    } else {
        text_put(out, "a part of the run");
    }
    text_put(out, o->by_control ? " (MPI_Pcontrol): " : " (--start): ");
}

/* "Recording was off for up to 205.1 ms on rank 1 (MPI_Pcontrol): 200 calls are not in the trace; what follows …" */
static void say_recording(struct notice *n, const struct wait_search *s, const struct preceding *p)
{
    const char *unrecorded = trace_meta(&s->reader->trace, META_UNRECORDED);
    struct off o = {.by_start = trace_meta(&s->reader->trace, META_START)};
    struct lane_ref lane;
    if (!unrecorded || strtoull(unrecorded, NULL, 10) == 0)
        return;
    for (uint64_t rank = 0; reader_next_rank(s->reader, &rank); rank++) {
        for (size_t at = 0; reader_next_lane(s->reader, (uint32_t)rank, LANE_THREAD, &at, &lane);)
            find_off(&o, s, p, &lane);
    }
    n->time = o.sum;
    if (o.by_control || o.by_start)
        put_off(&o, &n->says);
    text_put_name(&n->says, unrecorded);
    text_put(&n->says, strcmp(unrecorded, "1") == 0 ? " call is" : " calls are");
    text_put(&n->says, " not in the trace; what follows counts that time as computing.");
}

/* ---- calls that did not return --------------------------------------------------------------- */

/* The notice names the calls of so many ranks, or groups of ranks. */
#define UNRETURNED_MOST 3
/* A smaller share of the run is not worth a word. */
#define UNRETURNED_LEAST 0.0005

/* ns of the run in the lane's last call, if it did not return. */
static uint64_t unreturned_of(const struct wait_search *s, const struct wait_lane *l)
{
    uint64_t begin, end;
    wait_search_run_span(s, &begin, &end);
    const uint64_t since = l->last - l->unreturned, from = since > begin ? since : begin,
                   to = l->last < end ? l->last : end;
    return l->has_calls && wait_search_has(s, l->rank) && to > from ? to - from : 0;
}

/* Reads the lane's last call. */
static bool read_last(const struct wait_search *s, const struct wait_lane *l, struct cursor *c,
                      struct call *call)
{
    struct lane_ref lane;
    enum refrain_status status;
    size_t at = 0;
    bool there;
    while ((there = reader_next_lane(s->reader, l->rank, LANE_THREAD, &at, &lane)) &&
           lane.shape->number != l->thread)
        ;
    if (!there || cursor_start(c, s->reader, &lane) != REFRAIN_OK)
        return false;
    if (cursor_seek(c, l->call) != REFRAIN_OK)
        return false;
    if (cursor_next(c, call, &status))
        return true;
    cursor_stop(c);
    return false;
}

/* Returns the rank in the run that a slot of the call means, or GROUPS_NOBODY. */
static int64_t peer_at(const struct wait_search *s, const struct call *call, const struct row_view *row,
                       enum role_field field)
{
    const struct slot_range comm = row->before[FIELD_COMM], peer = row->before[field];
    struct group_view view;
    if (comm.n == 0 || peer.n == 0 || !groups_view(&s->groups, call->rank, call->slots[comm.at], &view))
        return GROUPS_NOBODY;
    return groups_peer(&s->groups, &view, call->slots[peer.at]);
}

/* " from rank 1 and to rank 3": the partners of the lane's last call, as far as they are known. */
static void put_partners(const struct wait_search *s, const struct wait_lane *l, struct bytes *out)
{
    static const struct {
        enum role_field field;
        const char *says;
    } sides[] = {{FIELD_SOURCE, "from"}, {FIELD_DEST, "to"}};
    struct cursor cursor;
    struct call call;
    struct row_view row;
    const char *before = " ";
    if (!read_last(s, l, &cursor, &call))
        return;
    const struct role *role = &s->roles.items[call.function];
    const bool has = !(role->actions & ROLE_COLLECTIVE) &&
                     row_view_look(&row, &s->reader->trace.functions, role, call.function, call.slots,
                                   call.n_slots, NULL) == REFRAIN_OK;
    for (size_t i = 0; has && i < sizeof sides / sizeof sides[0]; i++) {
        const int64_t peer = peer_at(s, &call, &row, sides[i].field);
        if (peer == GROUPS_NOBODY)
            continue;
        text_printf(out, "%s%s rank %" PRId64, before, sides[i].says, peer);
        before = " and ";
    }
    cursor_stop(&cursor);
}

/* "ranks 0-2 in MPI_Allreduce (ab.c:12)": this lane and the others that are there, too, each marked in `told`; or, with
 * partners, "rank 0 in MPI_Recv (ab.c:10) from rank 1" alone. */
static void put_unreturned(const struct wait_search *s, const struct symbols *symbols, size_t lane,
                           uint64_t *ranks, bool *told, struct bytes *out)
{
    const struct wait_lane *items = s->lanes.items;
    struct bytes partners = {0};
    put_partners(s, &items[lane], &partners);
    memset(ranks, 0, s->lanes.n_ranks * sizeof *ranks);
    for (size_t i = lane; i < (partners.n > 0 ? lane + 1 : s->lanes.n); i++) {
        if (items[i].span.site != items[lane].span.site || unreturned_of(s, &items[i]) == 0)
            continue;
        ranks[items[i].rank - s->lanes.first_rank] = 1;
        told[i] = true;
    }
    causes_put_ranks(ranks, s->lanes.first_rank, s->lanes.n_ranks, 1, out);
    text_put(out, " in ");
    site_put_line(s->reader, symbols, items[lane].span.site, out);
    bytes_put(out, partners.data, partners.n);
    out->failed = out->failed || partners.failed;
    bytes_free(&partners);
}

/* "Calls that did not return, 96.6 % of the run: rank 0 in MPI_Recv (ab.c:10) from rank 1; see refrain messages …" */
static void say_unreturned(struct notice *n, const struct wait_search *s, const struct symbols *symbols)
{
    uint64_t *ranks = calloc(s->lanes.n_ranks + (size_t)1, sizeof *ranks), time = 0;
    bool *told = calloc(s->lanes.n + 1, sizeof *told);
    size_t named = 0;
    for (size_t i = 0; i < s->lanes.n; i++)
        time += unreturned_of(s, &s->lanes.items[i]);
    n->says.failed = !ranks || !told;
    if (!n->says.failed && (double)time > UNRETURNED_LEAST * (double)efficiency_all_time(s)) {
        n->time = time;
        text_printf(&n->says, "Calls that did not return, %.1f %% of the run: ",
                    text_percent(time, efficiency_all_time(s)));
        for (size_t i = 0; i < s->lanes.n; i++) {
            if (told[i] || unreturned_of(s, &s->lanes.items[i]) == 0)
                continue;
            text_put(&n->says, named > 0 && named < UNRETURNED_MOST ? ", " : "");
            if (named++ < UNRETURNED_MOST)
                put_unreturned(s, symbols, i, ranks, told, &n->says);
        }
        if (named > UNRETURNED_MOST)
            text_printf(&n->says, ", and %zu more", named - UNRETURNED_MOST);
        text_put(&n->says, "; see refrain messages ");
        text_put_shell_word(&n->says, s->reader->path);
    }
    free(ranks);
    free(told);
}

/* ---- operations without a match --------------------------------------------------------------- */

/* Might the run have completed what it began, if it had gone on? */
static bool is_cut_off(const struct wait_search *s)
{
    struct endings e;
    const bool is = endings_read(&e, s->reader) == REFRAIN_OK && endings_are_cut_off(&e);
    endings_free(&e);
    return is;
}

/* "50 messages are never received (the first: MPI_Send at main (ab.c:9), rank 0): see refrain messages …". Calls that
 * were not recorded or did not return may be why, and have notices of their own; so may the end of a run that was cut
 * off. */
static void say_unmatched(struct notice *n, const struct wait_search *s, const struct symbols *symbols)
{
    static const struct {
        enum matching_reason reason;
        const char *one, *many;
    } kinds[] = {
        {MATCHING_NEVER_RECEIVED, "message is never received", "messages are never received"},
        {MATCHING_NEVER_SENT, "receive never gets a message", "receives never get a message"},
        {MATCHING_NEVER_COMPLETED, "operation is never completed", "operations are never completed"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const struct wait_unmatched *f = &s->unmatched[kinds[i].reason];
        /* Each receive of which nobody knows the message may have taken one of these. */
        const uint64_t taken =
                           kinds[i].reason == MATCHING_NEVER_RECEIVED ? s->unmatched[MATCHING_UNKNOWN].n : 0,
                       count = f->n > taken ? f->n - taken : 0;
        if (count == 0)
            continue;
        text_printf(&n->says, "%s%" PRIu64 " %s (%s", n->says.n > 0 ? ", " : "", count,
                    count == 1 ? kinds[i].one : kinds[i].many, count == 1 ? "" : "the first: ");
        site_put_line(s->reader, symbols, f->site, &n->says);
        text_printf(&n->says, ", rank %" PRIu32 ")", f->rank);
    }
    if (n->says.n == 0)
        return;
    if (is_cut_off(s)) {
        bytes_free(&n->says);
        return;
    }
    text_put(&n->says, "; see refrain messages ");
    text_put_shell_word(&n->says, s->reader->path);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void say_absent(struct notice *n, const struct wait_search *s)
{
    struct efficiency e;
    n->says.failed = efficiency_find(&e, s) != REFRAIN_OK;
    n->time = e.absent;
    if (n->time > 0)
        text_printf(&n->says,
                    "In %.1f %% of the run one thread has ended and the next one has not begun: no sum "
                    "contains that, but what is computed before a call does.",
                    text_percent(n->time, efficiency_all_time(s)));
}

static void say_threads(struct notice *n, const struct wait_search *s)
{
    size_t later = 0;
    for (size_t i = 0; i < s->lanes.n; i++)
        later += s->lanes.items[i].thread > 0;
    if (later > 0)
        text_put(&n->says,
                 "Several threads of a rank make calls: where they wait for each other outside of MPI "
                 "(OpenMP barriers, joins, idle threads) counts as computing, so reasons and gains may "
                 "be wrong.");
}

void notices_find(struct notices *n, const struct wait_search *s, const struct preceding *p,
                  const struct symbols *symbols)
{
    say_recording(&n->items[NOTICE_RECORDING], s, p);
    say_unreturned(&n->items[NOTICE_UNRETURNED], s, symbols);
    if (n->items[NOTICE_RECORDING].says.n == 0 && n->items[NOTICE_UNRETURNED].says.n == 0)
        say_unmatched(&n->items[NOTICE_UNMATCHED], s, symbols);
    say_absent(&n->items[NOTICE_ABSENT], s);
    say_threads(&n->items[NOTICE_THREADS], s);
}
