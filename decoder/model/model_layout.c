/* SPDX-License-Identifier: BSD-3-Clause */
#include "model_layout.h"

#include "src/core/base/bisect.h"
#include "src/core/base/log.h"
#include "src/core/base/order.h"

#include <stdlib.h>

static uint64_t first_free(const struct model_layout *p, const struct construct *c)
{
    uint64_t column = 0;
    for (uint32_t k = 0; k < c->n_acts; k++)
        column = p->lines[c->acts[k].process].next > column ? p->lines[c->acts[k].process].next : column;
    for (size_t k = 0; k < c->n_processes; k++)
        column = p->lines[c->processes[k]].next > column ? p->lines[c->processes[k]].next : column;
    return column;
}

static void set_next(struct model_layout *p, const struct construct *c, uint64_t column)
{
    for (uint32_t k = 0; k < c->n_acts; k++)
        p->lines[c->acts[k].process].next = column;
    for (size_t k = 0; k < c->n_processes; k++)
        p->lines[c->processes[k]].next = column;
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* Are the processes of a loop in adjacent rows? Each row has one process. */
static bool is_tight(const struct model_layout *p, const struct construct *loop)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < loop->n_processes; i++) {
        const uint32_t row = p->lines[loop->processes[i]].row;
        low = row < low ? row : low;
        high = row > high ? row : high;
    }
    return loop->n_processes == 0 || high - low + 1 == loop->n_processes;
}

static int by_process(const void *a, const void *b)
{
    const struct model_layout_block *x = a, *y = b;
    return x->process < y->process ? -1 : x->process > y->process;
}

static int by_block(const void *a, const void *b)
{
    const struct model_layout_block *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : by_process(a, b);
}

/* Makes a block of the processes of a loop, unless one of them is in another loop's block. The
 * order is by process. */
static bool take_block(struct model_layout *p, const struct construct *loop)
{
    for (int take = 0; take < 2; take++) {
        for (size_t i = 0; i < loop->n_processes; i++) {
            const struct model_layout_block wanted = {0, loop->processes[i]};
            struct model_layout_block *found =
                bsearch(&wanted, p->order.items, p->order.n, sizeof wanted, by_process);
            if (!take && found->first != UINT32_MAX)
                return false;
            if (take)
                found->first = loop->processes[0];
        }
    }
    return true;
}

/* Exchanges rows among the lines of the system's processes, so that the rows of each loop from
 * number `at` on are adjacent. Loops that share a process with an earlier loop stay. Loops are
 * ordered by their first processes. */
static enum refrain_status move_lines(struct model_layout *p, const struct system *s, size_t at,
                                      const uint32_t *processes, size_t n)
{
    uint64_t column = 0;
    p->order.n = 0;
    if (!array_reserve(&p->order, n))
        return REFRAIN_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const struct model_layout_line *line = &p->lines[processes[i]];
        p->order.items[p->order.n++] = (struct model_layout_block){UINT32_MAX, processes[i]};
        p->rows[i] = line->row;
        column = line->next > column ? line->next : column;
    }
    while (at < s->n && (!construct_is_loop(s->items[at]) || take_block(p, s->items[at])))
        at++;
    for (size_t i = 0; i < n; i++) {
        if (p->order.items[i].first == UINT32_MAX)
            p->order.items[i].first = p->order.items[i].process;
    }
    qsort(p->order.items, n, sizeof *p->order.items, by_block);
    qsort(p->rows, n, sizeof *p->rows, order_u32);
    for (size_t i = 0; i < n; i++) {
        struct model_layout_line *line = &p->lines[p->order.items[i].process];
        line->next = column + MODEL_LAYOUT_MOVE;
        if (line->row == p->rows[i])
            continue;
        line->row = p->rows[i];
        if (!array_push(&line->moves, ((struct model_layout_move){column, line->row})))
            return REFRAIN_ERR_MEMORY;
    }
    return REFRAIN_OK;
}

/* ---- placing --------------------------------------------------------------------------------- */

static enum refrain_status place_system(struct model_layout *p, const struct system *s,
                                        const uint32_t *processes, size_t n)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < s->n && status == REFRAIN_OK; i++) {
        const struct construct *c = s->items[i];
        const size_t number = p->items.n;
        if (construct_is_loop(c) && !is_tight(p, c) &&
            (status = move_lines(p, s, i, processes, n)) != REFRAIN_OK)
            break;
        const uint64_t column = first_free(p, c);
        if (!array_push(&p->items, ((struct model_layout_span){column, column + 1})))
            return REFRAIN_ERR_MEMORY;
        set_next(p, c, column + 1);
        if (!construct_is_loop(c))
            continue;
        status = place_system(p, c->body, c->processes, c->n_processes);
        p->items.items[number].end = first_free(p, c);
        set_next(p, c, p->items.items[number].end + 1);
    }
    return status;
}

enum refrain_status model_layout_find(struct model_layout *p, const struct model *m)
{
    const uint32_t n = (uint32_t)m->processes.n;
    *p = (struct model_layout){.m = m};
    uint32_t *all = calloc(n + (size_t)1, sizeof *all);
    p->lines = calloc(n + (size_t)1, sizeof *p->lines);
    p->rows = calloc(n + (size_t)1, sizeof *p->rows);
    enum refrain_status status = REFRAIN_OK;
    if (!all || !p->lines || !p->rows) {
        log_error("out of memory: a drawing of %u processes", n);
        status = REFRAIN_ERR_MEMORY;
        goto out;
    }
    for (uint32_t i = 0; i < n; i++)
        all[i] = p->lines[i].row = i;
    status = place_system(p, m->all, all, n);
    for (uint32_t i = 0; i < n; i++)
        p->columns = p->lines[i].next > p->columns ? p->lines[i].next : p->columns;
out:
    free(all);
    if (status != REFRAIN_OK)
        model_layout_free(p);
    return status;
}

void model_layout_free(struct model_layout *p)
{
    for (size_t i = 0; p->lines && i < p->m->processes.n; i++)
        array_free(&p->lines[i].moves);
    free(p->lines);
    free(p->rows);
    array_free(&p->items);
    array_free(&p->order);
    *p = (struct model_layout){0};
}

uint32_t model_layout_row(const struct model_layout *p, uint32_t process, uint64_t column)
{
    const struct model_layout_line *line = &p->lines[process];
    const size_t moved = BISECT(i, line->moves.n, line->moves.items[i].column <= column);
    return moved > 0 ? line->moves.items[moved - 1].row : process;
}
