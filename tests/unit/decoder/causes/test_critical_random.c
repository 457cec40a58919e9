/* SPDX-License-Identifier: BSD-3-Clause */
/* Random programs, made with the knowledge which call waits for which other one, and until when.
 * Walking back from the end of the run gives the critical path; the path found forward has to be
 * the same, in whatever order calls are told and settled. Then all calls are told again to a log
 * and simulated from it: unchanged, in an ideal network, and with half the time at a place of one
 * process. The results have to be those that follow from the calls in the order in which they were
 * made. */
#include <criterion/criterion.h>

#include "decoder/causes/stream/causal_log.h"
#include "decoder/causes/critical_path.h"
#include "decoder/causes/resimulation.h"
#include "tests/unit/support/random.h"

#include <stdlib.h>

enum { PROCESSES = 8, OPERATIONS = 80, SITES = 5, MOST_NEEDS = PROCESSES };

/* A piece of a process's time, and the process on the path before it: the same one, or another one
 * that it waited for. */
struct stretch {
    uint64_t begin, end;
    uint32_t before; /* the process that the path comes from at `begin` */
    enum critical_activity activity;
};

struct made_call {
    struct causal_call call;
    struct causal_name needs[MOST_NEEDS];
    size_t n;
    size_t users; /* calls that need this one and are not settled */
};

struct process {
    uint64_t now;
    ARRAY(struct stretch) stretches;
    ARRAY(struct made_call) calls;
    size_t told, settled;
};

struct program {
    struct process processes[PROCESSES];
    ARRAY(struct causal_name) order; /* the order in which calls end */
    uint32_t n;
    uint64_t random, waiting;
};

static uint64_t some_time(struct program *p)
{
    return 1000 + random_below(&p->random, random_below(&p->random, 4) == 0 ? 100000 : 5000);
}

static uint32_t another(struct program *p, uint32_t a, uint32_t b)
{
    uint32_t other = 0;
    do
        other = random_below(&p->random, p->n);
    while (other == a || other == b);
    return other;
}

/* The process computes; then a call begins, which is its last one so far. */
static struct made_call *begin(struct program *p, uint32_t process)
{
    struct process *r = &p->processes[process];
    const uint64_t enter = r->now + some_time(p);
    const struct made_call call = {
        .call = {process, random_below(&p->random, SITES), r->calls.n * 3, enter, enter}};
    cr_assert(array_push(&r->stretches, ((struct stretch){r->now, enter, process, CRITICAL_COMPUTING})));
    cr_assert(array_push(&r->calls, call));
    r->now = enter;
    return &r->calls.items[r->calls.n - 1];
}

/* The call lasts `duration` from its begin, or from the begin of the last call that it needs,
 * whichever is later. */
static void end(struct program *p, struct made_call *call, struct made_call *const *needs, size_t n,
                uint64_t duration)
{
    struct process *r = &p->processes[call->call.lane];
    struct causal_call last = call->call;
    for (size_t i = 0; i < n; i++) {
        const struct causal_call *need = &needs[i]->call;
        if (needs[i] == call)
            continue;
        call->needs[call->n++] = (struct causal_name){need->lane, need->number};
        needs[i]->users++;
        last = need->enter > last.enter ? *need : last;
    }
    p->waiting += last.enter - call->call.enter;
    cr_assert(array_push(&p->order, ((struct causal_name){call->call.lane, call->call.number})));
    r->now = call->call.leave = last.enter + duration;
    cr_assert(array_push(&r->stretches, ((struct stretch){last.enter, r->now, last.lane, CRITICAL_CALL})));
}

/* The send needs the posted receive; if the receive is posted only after the send is over, the
 * send needs it only at times. */
static void end_send(struct program *p, struct made_call *send, struct made_call *posted)
{
    const uint64_t duration = some_time(p);
    const bool needs = random_below(&p->random, 2) > 0 || posted->call.enter <= send->call.enter + duration;
    end(p, send, &posted, needs, duration);
}

static void message(struct program *p)
{
    const uint32_t to = random_below(&p->random, p->n);
    struct made_call *receive = begin(p, to), *send = begin(p, another(p, to, to));
    end_send(p, send, receive);
    end(p, receive, &send, 1, some_time(p));
}

/* One call completes two messages, whose receives an earlier call posted. The calls of a process
 * move in memory when it makes another one. */
static void two_messages(struct program *p)
{
    const uint32_t to = random_below(&p->random, p->n), first = another(p, to, to);
    struct made_call *sends[2];
    end(p, begin(p, to), NULL, 0, some_time(p));
    struct made_call *posted = &p->processes[to].calls.items[p->processes[to].calls.n - 1];
    sends[0] = begin(p, first);
    end_send(p, sends[0], posted);
    sends[1] = begin(p, another(p, to, first));
    end_send(p, sends[1], posted);
    struct made_call *wait = begin(p, to);
    end(p, wait, sends, 2, some_time(p));
}

/* Every call needs all calls of the meeting, and so waits for the last to begin. */
static void meet(struct program *p)
{
    struct made_call *all[PROCESSES];
    for (uint32_t i = 0; i < p->n; i++)
        all[i] = begin(p, i);
    for (uint32_t i = 0; i < p->n; i++)
        end(p, all[i], all, p->n, some_time(p));
}

static void make_up(struct program *p, unsigned number)
{
    *p = (struct program){.random = random_seed(number)};
    p->n = 3 + random_below(&p->random, PROCESSES - 2);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        const uint32_t kind = random_below(&p->random, 10);
        if (kind == 0)
            meet(p);
        else if (kind < 4)
            two_messages(p);
        else
            message(p);
    }
}

/* The part of the path, by process and activity; *end is the time at which the last process
 * ends. */
static void walk_back(const struct program *p, uint64_t parts[][CRITICAL_ACTIVITIES], uint64_t *end)
{
    size_t at[PROCESSES];
    uint32_t process = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        at[i] = p->processes[i].stretches.n;
        process = p->processes[i].now > p->processes[process].now ? i : process;
    }
    *end = p->processes[process].now;
    for (uint64_t time = *end; time > 0;) {
        const struct stretch *s = p->processes[process].stretches.items;
        while (s[at[process] - 1].end > time)
            at[process]--;
        const struct stretch *this = &s[--at[process]];
        cr_assert_eq(this->end, time);
        parts[process][this->activity] += this->end - this->begin;
        time = this->begin;
        process = this->before;
    }
}

/* ---- telling the calls -------------------------------------------------------------------------- */

static bool is_told(const struct program *p, struct causal_name name)
{
    return name.number < p->processes[name.lane].told * 3;
}

static void tell(struct causal_stream *s, struct process *r)
{
    const struct made_call *c = &r->calls.items[r->told++];
    const struct causal_name name = {c->call.lane, c->call.number};
    cr_assert_eq(causal_stream_call(s, &c->call, false), REFRAIN_OK);
    for (size_t i = 0; i < c->n; i++)
        causal_stream_expect(s, name);
    for (size_t i = 0; i < c->users; i++)
        cr_assert_eq(causal_stream_hold(s, name), REFRAIN_OK);
}

/* Settle the next call, if all the calls that it depends on have been told. */
static bool settle(struct causal_stream *s, const struct program *p, struct process *r)
{
    const struct made_call *c = &r->calls.items[r->settled];
    if (r->settled == r->told)
        return false;
    for (size_t i = 0; i < c->n; i++) {
        if (!is_told(p, c->needs[i]))
            return false;
    }
    for (size_t i = 0; i < c->n; i++) {
        const struct causal_name name = {c->call.lane, c->call.number};
        cr_assert_eq(causal_stream_settle(s, name, &c->needs[i], 0), REFRAIN_OK);
        causal_stream_release(s, c->needs[i]);
    }
    r->settled++;
    return true;
}

static void tell_all(struct causal_stream *s, struct program *p)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < p->n; i++)
            more = more || p->processes[i].settled < p->processes[i].calls.n;
        struct process *r = &p->processes[random_below(&p->random, p->n)];
        if (random_below(&p->random, 2) > 0 && r->told < r->calls.n)
            tell(s, r);
        else
            settle(s, p, r);
    }
    cr_assert_eq(causal_stream_end(s), REFRAIN_OK);
    cr_assert_eq(s->forced, 0);
    cr_assert_eq(s->pending, 0);
    cr_assert_eq(s->mark_of_call.n, 0);
}

static void check_parts(const struct critical_path *c, const struct program *p, unsigned number,
                        const uint64_t parts[][CRITICAL_ACTIVITIES])
{
    uint64_t found[PROCESSES][CRITICAL_ACTIVITIES] = {0}, sum = 0;
    for (size_t i = 0; i < c->profile.n; i++) {
        const uint64_t key = c->profile.items[i].key;
        found[critical_lane(key)][critical_activity(key)] += c->profile.items[i].value;
        sum += c->profile.items[i].value;
    }
    cr_assert_eq(sum, c->length);
    for (uint32_t i = 0; i < p->n; i++) {
        for (unsigned k = 0; k < CRITICAL_ACTIVITIES; k++)
            cr_assert_eq(found[i][k], parts[i][k], "program %u, process %u: %u, not %u", number, (unsigned)i,
                         (unsigned)found[i][k], (unsigned)parts[i][k]);
    }
}

/* The stays are as long in each process as `walk_back` says; in fewer of them, still all of the run. */
static void check_route(const struct critical_path *c, uint32_t n, unsigned number,
                        const uint64_t (*parts)[CRITICAL_ACTIVITIES])
{
    struct critical_stays all, few;
    uint64_t of[PROCESSES] = {0}, at = 0;
    cr_assert_eq(critical_route_find(&c->route, c->last_lane, 0, c->length, SIZE_MAX, &all), REFRAIN_OK);
    cr_assert_eq(critical_route_find(&c->route, c->last_lane, 0, c->length, 7, &few), REFRAIN_OK);
    for (size_t i = 0; i < all.n; i++)
        of[all.items[i].lane] += all.items[i].to - all.items[i].from;
    for (uint32_t i = 0; i < n; i++)
        cr_assert_eq(of[i], parts[i][CRITICAL_CALL] + parts[i][CRITICAL_COMPUTING], "program %u, process %u",
                     number, (unsigned)i);
    cr_assert(few.n <= 7 && few.n <= all.n);
    for (size_t i = 0; i < few.n; i++) {
        cr_assert_eq(few.items[i].from, at);
        at = few.items[i].to;
    }
    cr_assert_eq(at, c->length);
    array_free(&all);
    array_free(&few);
}

/* ---- simulating the calls ------------------------------------------------------------------------ */

enum { AS_IT_WAS, IDEAL, HALF, CASES, HALF_SITE = 2, HALF_PROCESS = 1 };

static struct made_call *made(struct program *p, struct causal_name name)
{
    return &p->processes[name.lane].calls.items[name.number / 3];
}

static uint64_t computes(const struct made_call *c, uint64_t before, unsigned number)
{
    const bool half = number == HALF && c->call.lane == HALF_PROCESS && c->call.site == HALF_SITE;
    const uint64_t time = c->call.enter - before;
    return half ? (time + 1) / 2 : time;
}

/* A call that is needed has always begun before the call that needs it ends, so its begin follows
 * from the call before it on its process. */
static uint64_t simulate(struct program *p, unsigned number)
{
    uint64_t last = 0, *leaves[PROCESSES];
    for (uint32_t i = 0; i < p->n; i++)
        /* index: call number + 1 */
        leaves[i] = calloc(p->processes[i].calls.n + 1, sizeof *leaves[i]);
    for (size_t k = 0; k < p->order.n; k++) {
        const struct made_call *c = made(p, p->order.items[k]);
        uint64_t from = c->call.enter, at = 0;
        for (size_t i = 0; i <= c->n; i++) {
            const struct causal_name name = i < c->n ? c->needs[i] : p->order.items[k];
            const struct made_call *need = made(p, name);
            const size_t index = name.number / 3;
            const uint64_t before = index > 0 ? p->processes[name.lane].calls.items[index - 1].call.leave : 0,
                           begin = leaves[name.lane][index] + computes(need, before, number);
            from = need->call.enter > from ? need->call.enter : from;
            at = begin > at ? begin : at;
        }
        at += number == IDEAL ? 0 : c->call.leave - from;
        leaves[c->call.lane][c->call.number / 3 + 1] = at;
        last = at > last ? at : last;
    }
    for (uint32_t i = 0; i < p->n; i++)
        free(leaves[i]);
    return last;
}

static void check_simulated(struct program *p, unsigned number, uint64_t length)
{
    struct resim_stretch all = {0, UINT64_MAX, 0.5};
    struct resim_stretches of_lane[PROCESSES] = {[HALF_PROCESS] = {&all, 1, 1}};
    struct resim_place half = {.place = (uint32_t)(critical_key(HALF_SITE, CRITICAL_COMPUTING, 0) >> 32),
                               .of_lane = of_lane};
    const struct resim_case cases[CASES] = {
        [AS_IT_WAS] = {.change = RESIM_NOTHING},
        [IDEAL] = {.change = RESIM_IDEAL, .site = RESIM_ANYWHERE},
        [HALF] = {.change = RESIM_SHORTER, .places = &half, .n_places = 1}};
    struct causal_stream s;
    struct causal_log log;
    struct resimulation r;
    for (uint32_t i = 0; i < p->n; i++)
        p->processes[i].told = p->processes[i].settled = 0;
    cr_assert_eq(causal_log_create(&log, p->n), REFRAIN_OK);
    log.block = number % 2 > 0 ? 1000 : log.block;
    const struct causal_sink to_log = causal_log_sink(&log);
    cr_assert_eq(causal_stream_create(&s, p->n, &to_log), REFRAIN_OK);
    tell_all(&s, p);
    cr_assert_eq(resimulation_create(&r, p->n, cases, CASES), REFRAIN_OK);
    const struct causal_sink sink = resimulation_sink(&r);
    cr_assert_eq(causal_log_tell(&log, &sink), REFRAIN_OK);
    cr_assert_eq(resimulation_end(&r, AS_IT_WAS), length);
    for (unsigned i = 0; i < CASES; i++)
        cr_assert_eq(resimulation_end(&r, i), simulate(p, i), "program %u, case %u", number, i);
    resimulation_free(&r);
    causal_log_free(&log);
    causal_stream_free(&s);
}

Test(critical_path, of_random_programs)
{
    for (unsigned number = 0; number < 200; number++) {
        struct program p;
        struct critical_path c;
        struct causal_stream s;
        uint64_t parts[PROCESSES][CRITICAL_ACTIVITIES] = {0}, length, explained = 0;
        make_up(&p, number);
        walk_back(&p, parts, &length);
        cr_assert_eq(critical_path_create(&c, p.n, SITES, 0), REFRAIN_OK);
        c.route.wanted = true;
        const struct causal_sink sink = critical_path_sink(&c);
        cr_assert_eq(causal_stream_create(&s, p.n, &sink), REFRAIN_OK);
        tell_all(&s, &p);
        cr_assert_eq(critical_path_end(&c), REFRAIN_OK);
        cr_assert_eq(c.length, length);
        check_parts(&c, &p, number, (const uint64_t(*)[CRITICAL_ACTIVITIES])parts);
        check_route(&c, p.n, number, (const uint64_t(*)[CRITICAL_ACTIVITIES])parts);
        for (size_t i = 0; i < c.delays.items.n; i++)
            explained += c.delays.items.items[i].direct + c.delays.items.items[i].further;
        cr_assert_eq(c.delays.waiting, p.waiting);
        cr_assert_eq(explained, p.waiting);
        check_simulated(&p, number, length);
        array_free(&p.order);
        for (uint32_t i = 0; i < p.n; i++) {
            array_free(&p.processes[i].stretches);
            array_free(&p.processes[i].calls);
        }
        causal_stream_free(&s);
        critical_path_free(&c);
    }
}
