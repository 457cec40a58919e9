/* SPDX-License-Identifier: BSD-3-Clause */
/* What is matched of all that is said (spoken.h), as lines of `refrain messages`. */
#ifndef REFRAIN_TEST_HEARD_H
#define REFRAIN_TEST_HEARD_H

#include <criterion/criterion.h>

#include <string.h>

#include "decoder/match/matching_text.h"
#include "decoder/util/text.h"
#include "tests/unit/support/spoken.h"

#define SEND(s, rank, dest, tag) SAY(s, rank, 0, SPOKEN_SEND, 1, TYPE, dest, tag, WORLD, 0)
#define ISEND(s, rank, dest, tag, request)                                                                   \
    SAY(s, rank, 0, SPOKEN_ISEND, 1, TYPE, dest, tag, WORLD, 0, REQUEST(request))
#define RECV(s, rank, source, tag, from, got)                                                                \
    SAY(s, rank, 0, SPOKEN_RECV, source, tag, WORLD, 0, STATUS(from, got, 8))
#define IRECV(s, rank, source, tag, request)                                                                 \
    SAY(s, rank, 0, SPOKEN_IRECV, source, tag, WORLD, 0, REQUEST(request))
#define WAIT(s, rank, request, ...)  SAY(s, rank, 0, SPOKEN_WAIT, REQUEST(request), 0, NONE, __VA_ARGS__)
#define BARRIER(s, rank, thread)     SAY(s, rank, thread, SPOKEN_BARRIER, WORLD, 0)
#define BCAST(s, rank, thread, root) SAY(s, rank, thread, SPOKEN_BCAST, 1, TYPE, root, WORLD, 0)
#define ALLREDUCE(s, rank, thread)   SAY(s, rank, thread, SPOKEN_ALLREDUCE, 1, TYPE, SUM, WORLD, 0)

struct heard {
    struct matching_text text;
    struct bytes lines;
};

static inline enum refrain_status hear_message(void *context, const struct matching_message *m)
{
    struct heard *h = context;
    matching_put_message(&h->text, m, &h->lines);
    return REFRAIN_OK;
}

static inline enum refrain_status hear_collective(void *context, const struct matching_collective *c)
{
    struct heard *h = context;
    matching_put_collective(&h->text, c, &h->lines);
    return REFRAIN_OK;
}

static inline enum refrain_status hear_unmatched(void *context, const struct matching_unmatched *u)
{
    struct heard *h = context;
    matching_put_unmatched(&h->text, u, &h->lines);
    return REFRAIN_OK;
}

/* All lines; the caller's to free. */
static inline struct bytes hear(struct spoken *s)
{
    struct heard h = {0};
    const struct matching_sink sink = {
        .context = &h, .message = hear_message, .collective = hear_collective, .unmatched = hear_unmatched};
    spoken_end(s);
    h.text.functions = &s->reader.trace.functions;
    cr_assert_eq(matching_run(&s->reader, &s->definitions, &sink), REFRAIN_OK);
    bytes_put_u8(&h.lines, '\0');
    spoken_free(s);
    return h.lines;
}

/* All that is said gives these lines, in this order. */
static inline void expect(struct spoken *s, const char *lines)
{
    struct bytes heard = hear(s);
    cr_assert_str_eq((const char *)heard.data, lines);
    bytes_free(&heard);
}

#endif
