/* SPDX-License-Identifier: BSD-3-Clause */
/* The log gives back what was written to it. */
#include <criterion/criterion.h>

#include "decoder/causes/stream/causal_relay.h"

#include <stdlib.h>
#include <string.h>

struct heard {
    char text[4000];
};

static void put(void *context, const char *what, const struct causal_call *c, uint32_t mark,
                const struct causal_cause *causes, size_t n)
{
    struct heard *h = context;
    char *at = h->text + strlen(h->text);
    const size_t left = sizeof h->text - strlen(h->text);
    int length = snprintf(at, left, "%s %u %u %u %u %u", what, (unsigned)mark, c ? (unsigned)c->lane : 0,
                          c ? (unsigned)c->site : 0, c ? (unsigned)c->enter : 0, c ? (unsigned)c->leave : 0);
    for (size_t i = 0; i < n; i++)
        length += snprintf(at + length, left - (size_t)length, " (%u %u %u %u)", (unsigned)causes[i].lane,
                           (unsigned)causes[i].mark, (unsigned)causes[i].kind, (unsigned)causes[i].at);
    cr_assert_lt((size_t)length, left - 1);
    strcat(at, "\n");
}

static enum refrain_status hear_enter(void *context, const struct causal_call *c, uint32_t mark)
{
    struct causal_call only = *c;
    only.leave = 0;
    put(context, "enter", &only, mark, NULL, 0);
    return REFRAIN_OK;
}

static enum refrain_status hear_leave(void *context, const struct causal_call *c,
                                      const struct causal_cause *causes, size_t n)
{
    put(context, "leave", c, 0, causes, n);
    return REFRAIN_OK;
}

static void hear_forget(void *context, uint32_t mark)
{
    put(context, "forget", NULL, mark, NULL, 0);
}

static enum refrain_status hear_join(void *context, uint32_t mark, const struct causal_cause *members,
                                     size_t n)
{
    put(context, "join", NULL, mark, members, n);
    return REFRAIN_OK;
}

static void tell(const struct causal_sink *s)
{
    const struct causal_call a = {0, 7, 0, 100, 150}, b = {1, 300, 0, 5, 400}, c = {0, 8, 0, 150, 1000};
    const struct causal_cause joint = {CAUSAL_NONE, 4, 9, 150}, of_a = {0, 3, 0, 100}, of_c = {0, 2, 0, 150},
                              members[] = {of_a, of_c}, causes[] = {{0, 2, 11, 150}, joint};
    s->enter(s->context, &a, 3);
    s->enter(s->context, &b, CAUSAL_NONE);
    s->leave(s->context, &a, NULL, 0);
    s->enter(s->context, &c, 2);
    s->leave(s->context, &c, NULL, 0);
    s->join(s->context, 4, members, 2);
    s->forget(s->context, 3);
    s->leave(s->context, &b, causes, 2);
    s->forget(s->context, 4);
}

static void round_trip(size_t block)
{
    struct causal_log l;
    struct heard said = {0}, again = {0};
    const struct causal_sink direct = {&said, hear_enter, hear_leave, hear_forget, hear_join},
                             hearing = {&again, hear_enter, hear_leave, hear_forget, hear_join};
    cr_assert_eq(causal_log_create(&l, 2), REFRAIN_OK);
    l.block = block;
    const struct causal_sink log = causal_log_sink(&l);
    tell(&log);
    tell(&direct);
    cr_assert_eq(l.blocks.n > 0, block < 1000);
    for (unsigned i = 0; i < 2; i++) {
        again = (struct heard){0};
        cr_assert_eq(causal_log_tell(&l, &hearing), REFRAIN_OK);
        cr_assert_str_eq(again.text, said.text);
    }
    cr_assert_not(l.lost);
    causal_log_free(&l);
}

Test(causal_log, in_memory)
{
    round_trip(1000);
}

Test(causal_log, in_a_file)
{
    round_trip(1);
    round_trip(8);
}

/* Without room for a file the log is lost, and all else continues. */
Test(causal_log, without_a_place)
{
    struct causal_log l;
    setenv("TMPDIR", "/nowhere", 1);
    cr_assert_eq(causal_log_create(&l, 2), REFRAIN_OK);
    l.block = 1;
    const struct causal_sink log = causal_log_sink(&l);
    tell(&log);
    cr_assert(l.lost);
    cr_assert_eq(l.bytes.n, 0);
    causal_log_free(&l);
}

/* The log arrives in order and complete, relayed by another thread or by the writing thread, and is kept. */
static void relayed(const char *threads, size_t block)
{
    struct causal_relay r;
    struct causal_log kept;
    struct heard said = {0}, heard = {0};
    const struct causal_sink direct = {&said, hear_enter, hear_leave, hear_forget, hear_join},
                             hearing = {&heard, hear_enter, hear_leave, hear_forget, hear_join};
    setenv("REFRAIN_THREADS", threads, 1);
    struct thread_pool *pool = thread_pool_create();
    cr_assert_eq(causal_log_create(&kept, 2), REFRAIN_OK);
    kept.block = 3 * block;
    cr_assert_eq(causal_relay_create(&r, pool, 2, &hearing, &kept), REFRAIN_OK);
    r.block = block;
    const struct causal_sink relay = causal_relay_sink(&r);
    for (unsigned i = 0; i < 2; i++) {
        tell(&relay);
        tell(&direct);
        cr_assert_eq(causal_relay_end(&r), REFRAIN_OK);
        cr_assert_str_eq(heard.text, said.text);
    }
    heard = (struct heard){0};
    cr_assert_eq(causal_log_tell(&kept, &hearing), REFRAIN_OK);
    cr_assert_str_eq(heard.text, said.text);
    tell(&relay);
    causal_relay_free(&r);
    causal_log_free(&kept);
    thread_pool_free(pool);
}

Test(causal_log, by_another_thread)
{
    relayed("1", 1);
    relayed("3", 1);
    relayed("2", 12);
    relayed("2", 1000);
}
