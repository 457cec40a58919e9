#include "stream_walk.h"

#include <stdlib.h>

#include "log.h"

enum refrain_status stream_walk_start(struct stream_walk *w, const struct rules *stream, uint64_t calls)
{
    *w = (struct stream_walk){.rules = stream, .calls = calls};
    if (!stream)
        return REFRAIN_OK;
    w->stack = malloc(stream->n_rules * sizeof *w->stack);
    if (!w->stack) {
        log_error("out of memory for a walk over %u rules", stream->n_rules);
        return REFRAIN_ERR_MEMORY;
    }
    uint32_t start = stream->n_rules - 1;
    w->stack[w->depth++] = (struct stream_frame){stream->first[start], stream->first[start + 1], 0};
    return REFRAIN_OK;
}

/* The body on top of the stack is through: one more repetition of the item that it is the body of. */
static void leave_body(struct stream_walk *w)
{
    if (--w->depth == 0)
        return;
    struct stream_frame *f = &w->stack[w->depth - 1];
    if (++f->done == w->rules->items[f->item].count) {
        f->item++;
        f->done = 0;
    }
}

bool stream_walk_next(struct stream_walk *w, uint32_t *row, uint64_t *count)
{
    if (!w->rules) {
        *row = 0;
        *count = w->calls;
        w->calls = 0;
        return *count > 0;
    }
    while (w->depth > 0) {
        struct stream_frame *f = &w->stack[w->depth - 1];
        if (f->item == f->end) {
            leave_body(w);
            continue;
        }
        const struct rules_item *item = &w->rules->items[f->item];
        if (!(item->symbol & RULES_REF)) {
            *row = item->symbol;
            *count = item->count;
            f->item++;
            return true;
        }
        uint32_t body = item->symbol & ~RULES_REF;
        w->stack[w->depth++] = (struct stream_frame){w->rules->first[body], w->rules->first[body + 1], 0};
    }
    return false;
}

void stream_walk_stop(struct stream_walk *w)
{
    free(w->stack);
    *w = (struct stream_walk){0};
}
