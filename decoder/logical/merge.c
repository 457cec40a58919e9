/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the sequences of all processes into one list of steps. Each process executes some of them,
 * in this order.
 *
 *     2 x 2 grid, rank = 2*y + x                            statements     processes
 *     process 0                        send x+1  send y+1   recv x-1       1 3
 *     process 1  recv x-1                        send y+1   recv y-1       2 3
 *     process 2            recv y-1    send x+1             send x+1       0 2
 *     process 3  recv x-1  recv y-1                         send y+1       0 1
 *
 * The longest sequence comes first. Each further one is aligned with the list so that as many
 * events as possible share a statement, that is, have one form and a common direction. An event
 * without a place becomes a new statement. Loops of equal length may become one; their bodies are
 * merged in the same way. In the model, loops of processes that communicate already have the same
 * iterations.
 *
 * Where ranks have nothing in common, each sequence is compared with an ever longer list. A list may take half
 * of the comparisons that are left; what then comes is appended. */
#include "merge_impl.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* Larger tables are not made; such sequences are appended. */
#define CELLS_MOST ((size_t)1 << 24)

/* Comparisons of events with statements in all lists: a second or two. */
#define COMPARED_MOST ((uint64_t)1 << 25)

/* ---- ways ------------------------------------------------------------------------------------ */

#define NOT_HERE UINT32_MAX

static bool add_turn(struct merger *m, const uint32_t *way_of, uint32_t process, struct turn t)
{
    const uint32_t way = way_of[process];
    return way == NOT_HERE || array_push(&m->ways[way].turns, t);
}

static bool add_turns(struct merger *m, const uint32_t *way_of, const struct system *s)
{
    bool ok = true;
    for (size_t i = 0; i < s->n; i++) {
        const struct construct *c = s->items[i];
        for (uint32_t k = 0; k < c->n_acts && ok; k++)
            ok = add_turn(m, way_of, c->acts[k].process, (struct turn){c, &c->acts[k]});
        for (size_t k = 0; construct_is_loop(c) && k < c->n_processes && ok; k++)
            ok = add_turn(m, way_of, c->processes[k], (struct turn){c, NULL});
    }
    return ok;
}

/* Finds the turns of all parts that have the same system as part i. */
static bool find_turns(struct merger *m, const struct merge_part *parts, size_t i, uint32_t *way_of,
                       bool *done)
{
    for (size_t k = i; k < m->n_ways; k++) {
        if (parts[k].system != parts[i].system)
            continue;
        way_of[parts[k].process] = (uint32_t)k;
        done[k] = true;
    }
    const bool ok = add_turns(m, way_of, parts[i].system);
    for (size_t k = i; k < m->n_ways; k++)
        way_of[parts[k].process] = NOT_HERE;
    return ok;
}

/* Finds the ways of all parts. Several parts usually share one system. */
static enum refrain_status find_ways(struct merger *m, const struct merge_part *parts)
{
    const size_t n_processes = m->logical->model->processes.n;
    uint32_t *way_of = malloc((n_processes + 1) * sizeof *way_of);
    bool *done = calloc(m->n_ways + 1, sizeof *done), ok = way_of && done;
    for (size_t i = 0; ok && i < n_processes; i++)
        way_of[i] = NOT_HERE;
    for (size_t i = 0; ok && i < m->n_ways; i++) {
        m->ways[i].process = parts[i].process;
        ok = done[i] || find_turns(m, parts, i, way_of, done);
    }
    for (size_t i = 0; ok && i < m->n_ways; i++)
        ok = (m->ways[i].at = calloc(m->ways[i].turns.n + 1, sizeof(*m->ways[i].at))) != NULL;
    free(way_of);
    free(done);
    if (!ok)
        log_error("out of memory: %zu sequences", m->n_ways);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static int by_length(const void *a, const void *b, void *context)
{
    const struct way *ways = context;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (ways[x].turns.n != ways[y].turns.n)
        return ways[x].turns.n > ways[y].turns.n ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* ---- aligning statements --------------------------------------------------------------------- */

static bool join_statement(struct merger *m, struct statement *s, struct way *w, size_t at)
{
    const struct turn t = w->turns.items[at];
    const struct form *f = t.act ? form_of(m->forms, t.act->template) : NULL;
    if (f && f->partner != FORM_NONE) {
        const struct direction d = merge_direction(m, w->process, t.act, f->partner);
        if (s->turns.n == 0)
            s->partner = d;
        else
            direction_meet(&s->partner, &d);
    }
    w->at[at] = s;
    return array_push(&s->turns, ((struct statement_turn){w->process, t}));
}

/* Makes a new statement, which is not in the list yet. */
static struct statement *start_statement(struct merger *m, struct way *w, size_t at)
{
    struct statement *s = arena_array(&m->logical->arena, 1, sizeof *s);
    return s && join_statement(m, s, w, at) ? s : NULL;
}

/* Takes comparisons from what is left; false: they are too many. */
static bool may_compare(struct merger *m, uint64_t n)
{
    if (n > m->left) {
        m->left = 0;
        m->logical->is_cut = true;
        return false;
    }
    m->left -= n;
    m->logical->compared += n;
    return true;
}

/* Does it match an aligned way, turn by turn? */
static bool is_variant(struct merger *m, const struct way *known, const struct way *w)
{
    bool same = known->turns.n == w->turns.n;
    for (size_t i = 0; i < w->turns.n && same; i++)
        same = may_compare(m, 1) && merge_match(m, known->at[i], w->process, w->turns.items[i]) >= FAIR;
    return same;
}

/* Sets cells[i][k] to the best score of statements from i on with turns from k on. */
static enum refrain_status fill_cells(struct merger *m, const struct way *w)
{
    const size_t n = m->statements.n, k_all = w->turns.n, wide = k_all + 1;
    if ((n + 1) * wide > m->n_cells) {
        free(m->cells);
        m->n_cells = (n + 1) * wide;
        m->cells = malloc(m->n_cells * sizeof *m->cells);
        if (!m->cells) {
            log_error("out of memory: aligning %zu steps", n);
            m->n_cells = 0;
            return REFRAIN_ERR_MEMORY;
        }
    }
    for (size_t i = n + 1; i-- > 0;)
        for (size_t k = wide; k-- > 0;) {
            int32_t best = 0;
            if (i < n)
                best = m->cells[(i + 1) * wide + k];
            if (k < k_all && m->cells[i * wide + k + 1] > best)
                best = m->cells[i * wide + k + 1];
            if (i < n && k < k_all) {
                const int score = merge_match(m, m->statements.items[i], w->process, w->turns.items[k]);
                if (score > 0 && score + m->cells[(i + 1) * wide + k + 1] > best)
                    best = score + m->cells[(i + 1) * wide + k + 1];
            }
            m->cells[i * wide + k] = best;
        }
    return REFRAIN_OK;
}

/* Builds the aligned list: a statement and a turn together if that is part of the best score,
 * otherwise the existing statement first. */
static enum refrain_status follow_cells(struct merger *m, struct way *w)
{
    const size_t n = m->statements.n, wide = w->turns.n + 1;
    struct statement **old = m->statements.items;
    bool ok = true;
    size_t i = 0, k = 0;
    m->statements.items = NULL;
    m->statements.n = m->statements.cap = 0;
    while (ok && (i < n || k < w->turns.n)) {
        const int32_t best = m->cells[i * wide + k];
        const int score = i < n && k < w->turns.n ? merge_match(m, old[i], w->process, w->turns.items[k]) : 0;
        struct statement *s;
        if (score > 0 && best == score + m->cells[(i + 1) * wide + k + 1]) {
            s = old[i++];
            ok = join_statement(m, s, w, k++);
        } else if (i < n && best == m->cells[(i + 1) * wide + k]) {
            s = old[i++];
        } else {
            s = start_statement(m, w, k++);
        }
        ok = ok && s && array_push(&m->statements, s);
    }
    free(old);
    return ok ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status append_way(struct merger *m, struct way *w)
{
    for (size_t k = 0; k < w->turns.n; k++) {
        struct statement *s = start_statement(m, w, k);
        if (!s || !array_push(&m->statements, s))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

static enum refrain_status align(struct merger *m, uint32_t number)
{
    struct way *w = &m->ways[number];
    enum refrain_status status;
    if (m->left == 0)
        return append_way(m, w);
    for (size_t i = 0; i < m->variants.n; i++) {
        const struct way *known = &m->ways[m->variants.items[i]];
        if (!is_variant(m, known, w))
            continue;
        for (size_t k = 0; k < w->turns.n; k++)
            if (!join_statement(m, known->at[k], w, k))
                return REFRAIN_ERR_MEMORY;
        return REFRAIN_OK;
    }
    if (m->statements.n == 0 || m->statements.n + 1 > CELLS_MOST / (w->turns.n + 1) ||
        !may_compare(m, m->statements.n * w->turns.n)) {
        status = append_way(m, w);
    } else {
        status = fill_cells(m, w);
        if (status == REFRAIN_OK)
            status = follow_cells(m, w);
    }
    return status == REFRAIN_OK && !array_push(&m->variants, number) ? REFRAIN_ERR_MEMORY : status;
}

static enum refrain_status align_all(struct merger *m)
{
    enum refrain_status status = REFRAIN_OK;
    m->order = malloc((m->n_ways + 1) * sizeof *m->order);
    if (!m->order) {
        log_error("out of memory: %zu sequences", m->n_ways);
        return REFRAIN_ERR_MEMORY;
    }
    for (size_t i = 0; i < m->n_ways; i++)
        m->order[i] = (uint32_t)i;
    qsort_r(m->order, m->n_ways, sizeof *m->order, by_length, m->ways);
    for (size_t i = 0; i < m->n_ways && status == REFRAIN_OK; i++)
        status = align(m, m->order[i]);
    return status;
}

static void stop(struct merger *m)
{
    for (size_t i = 0; m->ways && i < m->n_ways; i++) {
        for (size_t k = 0; m->ways[i].at && k < m->ways[i].turns.n; k++)
            if (m->ways[i].at[k])
                array_free(&m->ways[i].at[k]->turns);
        free(m->ways[i].at);
        array_free(&m->ways[i].turns);
    }
    free(m->ways);
    free(m->order);
    free(m->cells);
    array_free(&m->statements);
    array_free(&m->variants);
}

enum refrain_status logical_merge(struct form_table *forms, const struct merge_part *parts, size_t n,
                                  uint32_t depth, struct steps *out)
{
    struct merger m = {.forms = forms,
                       .logical = forms->logical,
                       .depth = depth,
                       .n_ways = n,
                       .left = (COMPARED_MOST - forms->logical->compared) / 2};
    enum refrain_status status = REFRAIN_ERR_MEMORY;
    m.ways = calloc(n + 1, sizeof *m.ways);
    if (m.ways)
        status = find_ways(&m, parts);
    else
        log_error("out of memory: %zu sequences", n);
    if (status == REFRAIN_OK)
        status = align_all(&m);
    if (status == REFRAIN_OK)
        status = merge_make_steps(&m, out);
    stop(&m);
    return status;
}
