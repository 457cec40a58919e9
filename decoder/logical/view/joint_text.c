/* SPDX-License-Identifier: BSD-3-Clause */
#include "joint_text.h"

#include "decoder/logical/line.h"
#include "decoder/logical/meetings/moving.h"
#include "decoder/util/text.h"

#include <string.h>

/* Finds the process of a rank that takes part in the step: one of the rank's threads. MAP_NONE if none
 * does. */
static uint32_t find_there(const struct printer *p, const struct step *s, uint32_t rank)
{
    const struct logical *l = p->logical;
    uint32_t there = map_get(&p->joint->meetings.of_rank, rank);
    while (there != MAP_NONE && !step_has(s, there)) {
        there++;
        if (there == l->model->processes.n || logical_rank(l, there) != rank)
            there = MAP_NONE;
    }
    return there;
}

/* Does each sender also receive from the rank to which it sends? */
static bool goes_both_ways(const struct printer *p, const struct joint_item *item)
{
    const uint64_t none[SYSTEM_DEPTH_MAX + 1] = {0};
    const struct step *s = item->step;
    bool both = true;
    for (uint32_t i = 0; i < s->n_processes && both; i++) {
        const uint32_t rank = logical_rank(p->logical, s->processes[i]),
                       to = step_partner(p->logical, s, s->processes[i], none), there = find_there(p, s, to);
        both = rank != to && there != MAP_NONE && step_partner(p->logical, s, there, none) == rank;
    }
    return both;
}

/* Is it one call that sends and receives? Then its note is shown once. */
static bool is_one_call(const struct annotations *n, const struct joint_item *item)
{
    const struct event_note *a = &n->items[item->of->number].events;
    const struct event_note *b = &n->items[item->receive_of->number].events;
    return a->n_sites == b->n_sites && b->time == 0 &&
           (a->n_sites > ANNOTATE_SITES_MOST ||
            memcmp(a->sites, b->sites, a->n_sites * sizeof *a->sites) == 0);
}

/* Ends the line of a message that has the numbers of a step: one of its both. */
static enum refrain_status put_message_end(const struct printer *p, const struct joint_item *item,
                                           const struct step *s)
{
    struct bytes *out = &p->out->text;
    if (s->n_processes > 1)
        printer_put_condition(p, s);
    const size_t before = out->n;
    printer_put_note(p, "   # ", item->of);
    if (p->notes && !is_one_call(p->notes, item))
        printer_put_note(p, out->n > before ? "; received: " : "   # received: ", item->receive_of);
    text_putc(out, '\n');
    return output_drain(p->out);
}

/* Writes "(x, y) -> (x+1, y) tag2 comm1, sends first   if x < 7". */
static enum refrain_status put_messages(const struct printer *p, const struct joint_item *item,
                                        const char *suffix, uint32_t indent)
{
    const uint64_t none[SYSTEM_DEPTH_MAX + 1] = {0};
    const struct step *s = item->step;
    const struct form_pieces f = form_split(p->logical, s->form);
    const enum direction_law law = direction_law(&s->partner, s->n_processes);
    struct bytes *out = &p->out->text;
    uint32_t k = 0;
    printer_put_indent(p, indent);
    if (s->n_processes == 1)
        text_printf(out, "%u -> %u", logical_rank(p->logical, s->processes[0]),
                    step_partner(p->logical, s, s->processes[0], none));
    else if (moving_is(s)) {
        text_printf(out, direction_flips(law) ? "%s <-> " : "%s -> ", compass_name(p->logical->compass, law));
        statement_put_partner(p->logical, s, out);
    } else
        compass_put_pair(p->logical->compass, law, s->partner.values[law],
                         goes_both_ways(p, item) ? " <-> " : " -> ", out);
    printer_put_piece(p, s, f.middle, f.n_middle + f.n_end, &k);
    text_put(out, suffix);
    return put_message_end(p, item, s);
}

static enum refrain_status put_item(struct printer *p, const struct joint_item *item, const char *suffix,
                                    uint32_t indent)
{
    return item->receive ? put_messages(p, item, suffix, indent)
                         : printer_put_part(p, item->step, item->of, indent);
}

static enum refrain_status put_items(struct printer *p, const struct joint_group *g, uint32_t indent)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t i = 0; i < g->n && status == REFRAIN_OK; i++)
        status = put_item(p, &g->items[i], "", indent);
    return status;
}

/* ---- visits ---------------------------------------------------------------------------------- */

static void put_ranks(const struct printer *p, const struct step *s)
{
    if (s->n_processes == 1)
        text_printf(&p->out->text, "%u", logical_rank(p->logical, s->processes[0]));
    else
        text_put(&p->out->text, "rank");
}

/* Writes "0 -> i1 tag6" or "i1 -> 0 tag7". */
static enum refrain_status put_visit(const struct printer *p, const struct joint_group *g,
                                     const struct joint_item *item, uint32_t indent)
{
    const bool sends = joint_is_inside(g, item->step);
    const struct step *s = sends ? item->step : item->receive;
    const struct form_pieces f = form_split(p->logical, s->form);
    uint32_t k = 0;
    printer_put_indent(p, indent);
    if (sends)
        put_ranks(p, s);
    else
        statement_put_partner(p->logical, s, &p->out->text);
    text_put(&p->out->text, " -> ");
    if (sends)
        statement_put_partner(p->logical, s, &p->out->text);
    else
        put_ranks(p, s);
    printer_put_piece(p, s, f.middle, f.n_middle + f.n_end, &k);
    return put_message_end(p, item, s);
}

/* Writes "   if rank == i1", for steps of the partners. */
static void put_partner_condition(const struct printer *p, const struct joint_group *g, struct bytes *out)
{
    const struct joint_item *item = g->items;
    while (!item->receive)
        item++;
    text_put(out, "   if rank == ");
    statement_put_partner(p->logical, joint_is_inside(g, item->step) ? item->step : item->receive, out);
    text_putc(out, '\0');
}

static enum refrain_status put_visits(struct printer *p, const struct joint_group *g, uint32_t indent)
{
    struct bytes condition = {0};
    printer_put_indent(p, indent);
    text_printf(&p->out->text, "for i%u = 1 to ", g->loop->depth);
    statement_put_number(p->logical, g->loop, &g->loop->count, false, p->footnotes, &p->out->text);
    text_putc(&p->out->text, '\n');
    put_partner_condition(p, g, &condition);
    enum refrain_status status = condition.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
    for (size_t i = 0; i < g->n && status == REFRAIN_OK; i++) {
        const struct joint_item *item = &g->items[i];
        if (!item->receive && !joint_is_inside(g, item->step))
            p->condition = (const char *)condition.data;
        status = item->receive ? put_visit(p, g, item, indent + 1)
                               : printer_put_part(p, item->step, item->of, indent + 1);
        p->condition = NULL;
    }
    bytes_free(&condition);
    return status;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* Do exactly the ranks with such a neighbour execute the step, in one communicator? */
static bool is_natural(const struct printer *p, const struct step *s)
{
    const struct compass *c = p->logical->compass;
    const bool comm = s->kind == STEP_EVENT && form_split(p->logical, s->form).n_end > 0;
    bool natural = s->kind == STEP_EVENT && s->has_partner && s->n_processes < p->all.n &&
                   direction_law(&s->partner, s->n_processes) == DIRECTION_OFFSET;
    for (uint32_t i = 0; i < p->all.n && natural; i++)
        natural = step_has(s, p->all.items[i]) == compass_leads(c, s->partner.values[DIRECTION_OFFSET],
                                                                logical_rank(p->logical, p->all.items[i]));
    for (uint32_t i = 1; i < s->n_processes && natural && comm; i++)
        natural = s->numbers[s->n - 1].values[i] == s->numbers[s->n - 1].values[0];
    return natural;
}

/* Writes lines for the steps of ranks with such neighbours, and for the other steps. */
static enum refrain_status put_exchange(struct printer *p, const struct steps *steps, uint32_t indent)
{
    enum refrain_status status = REFRAIN_OK;
    for (size_t at = 0, end; at < steps->n && status == REFRAIN_OK; at = end) {
        const struct step *first = steps->items[at];
        const bool comm = form_split(p->logical, first->form).n_end > 0;
        for (end = at; end < steps->n && is_natural(p, steps->items[end]); end++) {
            const struct step *s = steps->items[end];
            if (s->form != first->form ||
                (comm && s->numbers[s->n - 1].values[0] != first->numbers[s->n - 1].values[0]))
                break;
        }
        if (end > at + 1) {
            p->condition = "   where there is one";
            status = printer_put_messages(p, steps, at, end, first, indent);
            p->condition = NULL;
            continue;
        }
        for (end = at + 1; end < steps->n && !is_natural(p, steps->items[end]);)
            end++;
        const struct steps others = {.items = steps->items + at, .n = end - at};
        status = printer_put_steps(p, &others, indent);
    }
    return status;
}

/* Writes steps of consecutive groups that are no messages. Without notes, a line has several of
 * them. */
static enum refrain_status put_steps(struct printer *p, const struct joint_group *groups, size_t n,
                                     uint32_t indent)
{
    struct steps steps = {0};
    enum refrain_status status = REFRAIN_OK;
    for (size_t g = 0; g < n && p->notes && status == REFRAIN_OK; g++)
        status = put_items(p, &groups[g], indent);
    if (p->notes)
        return status;
    for (size_t g = 0; g < n; g++)
        steps.n += groups[g].n;
    steps.items = arena_array(&p->joint->arena, steps.n + 1, sizeof *steps.items);
    steps.n = 0;
    for (size_t g = 0; steps.items && g < n; g++)
        for (size_t i = 0; i < groups[g].n; i++)
            steps.items[steps.n++] = (struct step *)groups[g].items[i].step;
    if (!steps.items)
        return REFRAIN_ERR_MEMORY;
    return groups->kind == JOINT_EXCHANGE ? put_exchange(p, &steps, indent)
                                          : printer_put_steps(p, &steps, indent);
}

enum refrain_status joint_put_group(struct printer *p, const struct joint_group *g, uint32_t indent)
{
    switch (g->kind) {
    case JOINT_SENDS_FIRST:
        return put_item(p, &g->items[0], ", sends first", indent);
    case JOINT_RECEIVES_FIRST:
        return put_item(p, &g->items[0], ", receives first", indent);
    case JOINT_WAVE:
        printer_put_indent(p, indent);
        text_put(&p->out->text, "for ");
        wave_put(&g->wave, &p->out->text);
        text_putc(&p->out->text, '\n');
        return put_items(p, g, indent + 1);
    case JOINT_VISITS:
        return put_visits(p, g, indent);
    case JOINT_EXCHANGE:
        printer_put_indent(p, indent);
        text_put(&p->out->text, "exchange\n");
        return put_steps(p, g, 1, indent + 1);
    default:
        return put_items(p, g, indent);
    }
}

static bool is_plain(const struct joint_group *g)
{
    return g->kind == JOINT_STEPS || (g->kind == JOINT_LINE && !g->items[0].receive);
}

enum refrain_status joint_put_body(struct printer *p, const struct steps *body, uint32_t indent)
{
    const struct joint_body *b = joint_of(p->joint, body);
    enum refrain_status status = b ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    const struct joint_body groups = b ? *b : (struct joint_body){0};
    for (size_t i = 0, end; i < groups.n && status == REFRAIN_OK && !p->out->closed; i = end) {
        for (end = i; end < groups.n && is_plain(&groups.groups[end]);)
            end++;
        status = end > i ? put_steps(p, groups.groups + i, end - i, indent)
                         : joint_put_group(p, &groups.groups[i], indent);
        end += end == i;
    }
    return status;
}
