/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_phases.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <string.h>

struct dividing {
    struct run_phases *phases;
    const struct model *model;
    uint32_t n_ranks; /* of all processes */
};

/* ---- constructs of all processes ------------------------------------------------------------- */

/* Threads of a rank follow each other. */
static uint32_t count_ranks(const struct model *m, const uint32_t *processes, size_t n)
{
    uint32_t ranks = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t before = i > 0 ? m->processes.items[processes ? processes[i - 1] : i - 1].rank : 0,
                       rank = m->processes.items[processes ? processes[i] : i].rank;
        ranks += i == 0 || rank != before;
    }
    return ranks;
}

/* Is it a collective operation of all ranks? Each rank takes part once. */
static bool is_meeting(const struct dividing *v, const struct construct *c)
{
    static const char word[] = {EVENT_RANK, ' ', 's', 'y', 'n', 'c', ' '};
    if (construct_is_loop(c) || c->n_acts < v->n_ranks)
        return false;
    const struct event_template *t = &v->model->templates->items.items[c->acts[0].template];
    return t->n > sizeof word && memcmp(event_template_text(v->model->templates, t), word, sizeof word) == 0;
}

static bool is_of_all(const struct dividing *v, const struct construct *loop)
{
    return count_ranks(v->model, loop->processes, loop->n_processes) == v->n_ranks;
}

static bool has_meeting(const struct dividing *v, const struct system *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        if (construct_is_loop(c) ? is_of_all(v, c) && has_meeting(v, c->body) : is_meeting(v, c))
            return true;
    }
    return false;
}

/* ---- dividing -------------------------------------------------------------------------------- */

static bool add_step(struct run_phases *p, uint32_t body, struct phase_step step)
{
    step.count = p->n_steps++;
    return array_push(&p->bodies.items[body].steps, step);
}

static struct phase_step *last_step(struct run_phases *p, uint32_t body)
{
    return &p->bodies.items[body].steps.items[p->bodies.items[body].steps.n - 1];
}

/* Adds a phase that begins at the end of the path, with construct `at`. */
static bool open_phase(struct run_phases *p, uint32_t body, const struct construct_path *path, size_t at,
                       bool loop)
{
    const struct run_phase phase = {.first = *path,
                                    .last = at + 1,
                                    .loop = loop,
                                    .same = RUN_PHASE_NONE,
                                    .from_site = RUN_PHASE_NONE,
                                    .to_site = RUN_PHASE_NONE};
    const struct phase_step step = {
        .number = (uint32_t)p->items.n, .first = at, .end = at + 1, .begins = true, .ends = true};
    return array_push(&p->items, phase) && add_step(p, body, step);
}

/* The phase of the last step gets one more construct. */
static void extend_phase(struct run_phases *p, uint32_t body)
{
    last_step(p, body)->end++;
    p->items.items[last_step(p, body)->number].last++;
}

/* What comes after the last meeting of an iteration goes on in the next one, up to its first meeting. The
 * phase that was the begin of each iteration is then at most that of the first one. */
static void join_ends(struct run_phases *p, uint32_t number)
{
    struct phase_body *body = &p->bodies.items[number];
    struct phase_step *first = body->steps.items, *last = last_step(p, number);
    if (first == last || first->is_body || !p->items.items[first->number].met || last->is_body ||
        p->items.items[last->number].met)
        return;
    struct run_phase *lead = &p->items.items[first->number], *whole = &p->items.items[last->number];
    whole->last = lead->last;
    whole->met = true;
    body->lead = first->number;
    first->number = last->number;
    last->ends = first->begins = false;
}

static bool is_alike(const struct construct *a, const struct construct *b)
{
    return !construct_is_loop(a) && a->n_acts == b->n_acts && a->acts[0].template == b->acts[0].template;
}

/* Do the loop's iterations begin with what comes after it? */
static bool is_begin_of(const struct phase_body *around, const struct phase_step *after,
                        const struct phase_body *loop)
{
    const struct phase_step *begin = loop->steps.items;
    bool alike = !after->is_body && after->end - after->first == begin->end - begin->first;
    for (size_t i = 0; alike && begin->first + i < begin->end; i++)
        alike = is_alike(around->system->items[after->first + i], loop->system->items[begin->first + i]);
    return alike;
}

/* If a loop's iterations begin with what comes after it, that is the end of the last iteration's last
 * phase, and the begin of the first iteration is the end of what comes before the loop. Otherwise the
 * begin of the first iteration is a part of the loop's phase, too. */
static void join_loops(struct run_phases *p, struct phase_body *body)
{
    for (size_t i = 0; i < body->steps.n; i++) {
        struct phase_step *step = &body->steps.items[i], *after = step + 1;
        if (!step->is_body || p->bodies.items[step->number].lead == RUN_PHASE_NONE)
            continue;
        struct phase_body *loop = &p->bodies.items[step->number];
        struct run_phase *lead = &p->items.items[loop->lead];
        const uint32_t whole = loop->steps.items[0].number;
        if (i + 1 < body->steps.n && is_begin_of(body, after, loop)) {
            p->items.items[after->number].same = whole;
            after->number = whole;
            after->begins = false;
            lead->leads = true;
            lead->loop = lead->first.n > 2;
        } else {
            loop->lead = RUN_PHASE_NONE;
            lead->same = whole;
        }
    }
}

static bool divide(struct dividing *v, const struct system *s, const struct construct *loop,
                   struct construct_path *path, bool in_loop, uint32_t *number);

/* Divides the body of loop `at`, which becomes a step of the body around. */
static bool divide_loop(struct dividing *v, uint32_t body, size_t at, struct construct_path *path,
                        bool in_loop)
{
    const struct construct *loop = v->phases->bodies.items[body].system->items[at];
    uint32_t inner;
    if (!divide(v, loop->body, loop, path, in_loop, &inner))
        return false;
    join_ends(v->phases, inner);
    return add_step(v->phases, body,
                    (struct phase_step){.is_body = true, .number = inner, .first = at, .end = at + 1});
}

/* `path` has the levels above; *number is the body's. */
static bool divide(struct dividing *v, const struct system *s, const struct construct *loop,
                   struct construct_path *path, bool in_loop, uint32_t *number)
{
    struct run_phases *p = v->phases;
    const uint32_t body = (uint32_t)p->bodies.n;
    const struct phase_body empty = {.system = s, .loop = loop, .lead = RUN_PHASE_NONE};
    bool open = false, ok = array_push(&p->bodies, empty);
    for (size_t i = 0; i < s->n && ok; i++) {
        const struct construct *c = s->items[i];
        const bool many = p->items.n >= RUN_PHASES_MOST,
                   whole = !many && construct_is_loop(c) && is_of_all(v, c),
                   divided = whole && has_meeting(v, c->body), alone = whole && !divided && !loop;
        construct_path_set(path, s, i);
        if (divided)
            ok = divide_loop(v, body, i, path, in_loop || !loop);
        else if (open && !alone)
            extend_phase(p, body);
        else
            ok = open_phase(p, body, path, i, in_loop || alone);
        open = !divided && !alone;
        if (ok && open && !many && is_meeting(v, c)) {
            p->items.items[last_step(p, body)->number].met = true;
            open = false;
        }
    }
    join_loops(p, &p->bodies.items[body]);
    *number = body;
    return ok;
}

enum refrain_status run_phases_create(struct run_phases *p, const struct model *m)
{
    struct dividing v = {.phases = p, .model = m, .n_ranks = count_ranks(m, NULL, m->processes.n)};
    struct construct_path path = {0};
    uint32_t top;
    *p = (struct run_phases){0};
    if (divide(&v, m->all, NULL, &path, false, &top))
        return REFRAIN_OK;
    log_error("out of memory: %zu phases", p->items.n);
    return REFRAIN_ERR_MEMORY;
}

void run_phases_free(struct run_phases *p)
{
    for (size_t i = 0; i < p->bodies.n; i++)
        array_free(&p->bodies.items[i].steps);
    array_free(&p->bodies);
    array_free(&p->items);
}

void run_phases_put_path(const struct run_phases *p, uint32_t first, uint32_t last, struct bytes *out)
{
    const struct construct_path *from = &p->items.items[first].first;
    struct construct_path to = p->items.items[last].first;
    const uint64_t end = to.levels[to.n - 1].number = p->items.items[last].last;
    construct_path_put(from, out);
    if (to.n != from->n) {
        text_putc(out, '-');
        construct_path_put(&to, out);
    } else if (end != from->levels[from->n - 1].number) {
        text_printf(out, "-%llu", (unsigned long long)end);
    }
}
