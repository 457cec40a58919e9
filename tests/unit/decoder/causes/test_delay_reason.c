/* SPDX-License-Identifier: BSD-3-Clause */
/* The line that says why ranks wait. */
#include <criterion/criterion.h>

#include "critical_run.h"
#include "decoder/causes/delay_reason.h"

#include <string.h>

enum { TURNS = 20 };

/* The reason for all waiting of two ranks, which wait so long each. */
static void expect(const struct found *f, uint64_t first, uint64_t second, const char *begin)
{
    const uint64_t by_lane[] = {first, second};
    const struct delays *d = &f->critical.path.delays;
    const struct causes_view view = {.search = &f->search, .preceding = &d->preceding};
    const struct reason_request request = {DELAYS_ANYWHERE, DELAYS_ANY_KIND, d->waiting, by_lane, NULL};
    struct bytes out = {0};
    cr_assert_eq(delays_put_reason(d, &view, &request, &out), REFRAIN_OK);
    bytes_put_u8(&out, '\0');
    const char *text = (const char *)out.data + strspn((const char *)out.data, " ");
    cr_expect(strncmp(text, begin, strlen(begin)) == 0, "%s", text);
    bytes_free(&out);
}

/* Rank 1 computes 4000, rank 0 1000; in the end rank 0 sends, too, or nobody. */
static void uneven(struct spoken *s, bool both_send)
{
    spoken_start(s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        RECV(s, 1000, 3100, 0, 1, i);
        SEND(s, 4000, 100, 1, 0, i);
    }
    if (both_send) {
        SEND(s, 100, 100, 0, 1, TURNS);
        RECV(s, 100, 100, 1, 0, TURNS);
    }
}

Test(delay_reason, longer)
{
    struct spoken s;
    struct found f;
    uneven(&s, true);
    find(&f, &s);
    expect(&f, 1, 0,
           "because rank 1 computes 4.0 times as long between one MPI_Send and the next (explains ");
    stop(&f);
}

/* There is nothing to compare it with. */
Test(delay_reason, alone)
{
    struct spoken s;
    struct found f;
    uneven(&s, false);
    find(&f, &s);
    expect(
        &f, 1, 0,
        "because rank 1 computes 4.000 us each time between one MPI_Send and the next, which only this rank "
        "runs (explains ");
    stop(&f);
}

/* In each turn another rank computes 3000, and the others 1000. */
Test(delay_reason, alternates)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 100, i % 2, 1 - i % 2, i);
        RECV(&s, 1000, 2100, 1 - i % 2, i % 2, i);
    }
    find(&f, &s);
    expect(&f, 1, 1,
           "because a different rank computes longest each time, rank 0 in 50 %, rank 1 in 50 % of it, ");
    stop(&f);
}

/* Each rank sends a result that it computed from what the other one sent. */
Test(delay_reason, serialized)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        SEND(&s, 3000, 10, 0, 1, i);
        RECV(&s, 0, 3190, 0, 1, i);
        RECV(&s, 0, i == 0 ? 3100 : 3190, 1, 0, i);
        SEND(&s, 3000, 10, 1, 0, i);
    }
    find(&f, &s);
    expect(&f, 1, 1, "because ranks work one after the other (serialized): ");
    stop(&f);
}

/* Rank 0 is in a broadcast to itself while rank 1 waits for the next message from rank 0. */
Test(delay_reason, transfer)
{
    struct spoken s;
    struct found f;
    spoken_start(&s, 2);
    for (unsigned i = 0; i < TURNS; i++) {
        CALL(&s, 100, 4000, 0, SPOKEN_BCAST, 1, TYPE, 0, SELF, 0);
        SEND(&s, 10, 100, 0, 1, i);
        RECV(&s, 100, 4110, 1, 0, i);
    }
    find(&f, &s);
    expect(&f, 0, 1, "because MPI_Bcast itself takes this time, on rank 0 (explains ");
    stop(&f);
}
