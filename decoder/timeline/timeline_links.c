/* SPDX-License-Identifier: BSD-3-Clause */
#include "timeline_links.h"

#include "decoder/match/matching.h"
#include "decoder/util/text.h"
#include "src/core/base/bisect.h"

#include <assert.h>
#include <inttypes.h>

struct taker {
    struct timeline_links *links;
    const struct timeline *timeline;
    size_t most;
};

static int compare(const struct timeline *t, const struct timeline_call *c, const struct call_ref *ref)
{
    const struct lane_ref *lane = &t->lanes.items[c->lane].ref;
    if (lane->rank != ref->rank)
        return lane->rank < ref->rank ? -1 : 1;
    if (lane->shape->number != ref->thread)
        return lane->shape->number < ref->thread ? -1 : 1;
    return c->index < ref->call ? -1 : c->index > ref->call;
}

/* Calls are ordered by rank, thread and number. Returns NULL if the call is not among the shown
 * ones. */
static const struct timeline_call *find(const struct timeline *t, const struct call_ref *ref)
{
    const struct timeline_call *calls = t->calls.items;
    const size_t at = BISECT(i, t->calls.n, compare(t, &calls[i], ref) < 0);
    return at < t->calls.n && compare(t, &calls[at], ref) == 0 ? &calls[at] : NULL;
}

static enum refrain_status take_message(void *context, const struct matching_message *m)
{
    struct taker *taker = context;
    struct timeline_links *x = taker->links;
    const struct timeline *t = taker->timeline;
    const struct timeline_call *send = find(t, &m->send);
    const struct timeline_call *receive = find(t, m->is_completed ? &m->completed : &m->receive);
    if (!send || !receive || x->n_messages++ >= taker->most)
        return REFRAIN_OK;
    const struct timeline_message message = {timeline_line(t, send->lane), timeline_line(t, receive->lane),
                                             send->enter, receive->leave};
    return array_push(&x->messages, message) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
}

static enum refrain_status take_collective(void *context, const struct matching_collective *c)
{
    struct taker *taker = context;
    struct timeline_links *x = taker->links;
    const struct timeline *t = taker->timeline;
    const size_t first = x->members.n;
    for (size_t i = 0; i < c->n; i++) {
        const struct timeline_call *call = find(t, &c->members[i].call);
        if (call && !array_push(&x->members, ((struct timeline_member){timeline_line(t, call->lane),
                                                                       call->enter, call->leave})))
            return REFRAIN_ERR_MEMORY;
    }
    if (x->members.n - first >= 2 && x->n_bands++ < taker->most)
        return array_push(&x->bands, first) ? REFRAIN_OK : REFRAIN_ERR_MEMORY;
    x->members.n = first;
    return REFRAIN_OK;
}

static enum refrain_status take_unmatched(void *context, const struct matching_unmatched *u)
{
    (void)context;
    (void)u;
    return REFRAIN_OK; /* nothing to draw */
}

enum refrain_status timeline_links_create(struct timeline_links *x, const struct timeline *t,
                                          const struct definitions *d, size_t most)
{
    struct taker taker = {x, t, most};
    const struct matching_sink sink = {.context = &taker,
                                       .message = take_message,
                                       .collective = take_collective,
                                       .unmatched = take_unmatched};
    *x = (struct timeline_links){.left_out = timeline_shares(t) || t->grain > 0};
    if (x->left_out)
        return REFRAIN_OK;
    const enum refrain_status status = matching_run(t->reader, d, &sink);
    if (status != REFRAIN_OK)
        timeline_links_free(x);
    if (x->n_messages > most)
        x->messages.n = 0;
    if (x->n_bands > most)
        x->bands.n = 0;
    return status;
}

void timeline_links_free(struct timeline_links *x)
{
    array_free(&x->messages);
    array_free(&x->members);
    array_free(&x->bands);
    *x = (struct timeline_links){0};
}

size_t timeline_band_size(const struct timeline_links *x, size_t band)
{
    assert(band < x->bands.n);
    return (band + 1 < x->bands.n ? x->bands.items[band + 1] : x->members.n) - x->bands.items[band];
}

void timeline_links_notes(const struct timeline_links *x, struct bytes *out)
{
    if (x->left_out)
        text_put(
            out,
            "Messages and collective operations are left out with them: choose fewer ranks (--rank) or a "
            "shorter time (--from, --to) to see them.\n");
    if (x->n_messages > 0 && x->messages.n == 0)
        text_printf(out,
                    "%" PRIu64 " messages are too many to draw: choose fewer ranks (--rank) or a shorter "
                    "time (--from, --to) to see them.\n",
                    x->n_messages);
    if (x->n_bands > 0 && x->bands.n == 0)
        text_printf(out,
                    "%" PRIu64 " collective operations are too many to draw lines between their calls.\n",
                    x->n_bands);
}
