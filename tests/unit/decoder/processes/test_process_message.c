/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/processes/process_message.h"

static struct bytes bytes_of(const struct process_message *m)
{
    struct bytes b = {0};
    process_message_put(m, &b);
    cr_assert_not(b.failed);
    return b;
}

Test(process_message, requests)
{
    const struct process_message open = {
        .kind = MESSAGE_OPEN, .world = 3, .file_bytes = UINT64_C(1) << 40, .run = "", .path = "a b.refrain"};
    const struct process_message begin = {
        .kind = MESSAGE_BEGIN, .lane = 300, .rank = UINT32_MAX, .thread = 2};
    struct process_message m;
    struct bytes b = bytes_of(&open);
    cr_assert(process_message_get(b.data, b.n, &m));
    cr_expect(m.kind == MESSAGE_OPEN && m.world == 3 && m.file_bytes == UINT64_C(1) << 40);
    cr_expect_str_eq(m.run, "");
    cr_expect_str_eq(m.path, "a b.refrain");
    bytes_free(&b);
    b = bytes_of(&begin);
    cr_assert(process_message_get(b.data, b.n, &m));
    cr_expect(m.kind == MESSAGE_BEGIN && m.lane == 300 && m.rank == UINT32_MAX && m.thread == 2);
    bytes_free(&b);
}

Test(process_message, times_are_exact)
{
    /* A call that begins before the last one ends, as one does that contains calls; and the largest numbers. */
    static const struct timestamp times[] = {
        {1000, 1010}, {1020, 1020}, {900, 5000}, {UINT64_MAX - 1, UINT64_MAX}, {0, UINT64_MAX}};
    enum { N = sizeof times / sizeof *times };
    const struct process_message sent = {.kind = MESSAGE_TIMES, .lane = 7, .times = times, .n = N};
    struct timestamp back[N];
    struct process_message m;
    struct bytes b = bytes_of(&sent);
    cr_assert(process_message_get(b.data, b.n, &m));
    cr_assert(m.kind == MESSAGE_TIMES && m.lane == 7 && m.n == N && m.status == REFRAIN_OK);
    cr_assert(process_message_times(&m, back));
    cr_expect_arr_eq(back, times, sizeof times);
    bytes_free(&b);
}

Test(process_message, times_are_small)
{
    struct timestamp times[TIMES_TOGETHER];
    for (size_t i = 0; i < TIMES_TOGETHER; i++)
        times[i] = (struct timestamp){UINT64_C(1) << 50 | i * 1000, (UINT64_C(1) << 50 | i * 1000) + 50};
    const struct process_message sent = {.kind = MESSAGE_TIMES, .times = times, .n = TIMES_TOGETHER};
    struct bytes b = bytes_of(&sent);
    cr_expect_lt(b.n, TIMES_TOGETHER * 4 + 16, "%zu bytes", b.n);
    bytes_free(&b);
}

/* Whatever is cut off or goes on is no message, or its times are refused. */
Test(process_message, damaged)
{
    static const struct timestamp times[] = {{5, 6}, {7, 800}};
    const struct process_message sent[] = {
        {.kind = MESSAGE_OPEN, .world = 1, .file_bytes = 9, .run = "f00", .path = "x"},
        {.kind = MESSAGE_BEGIN, .lane = 300, .rank = 5, .thread = 1},
        {.kind = MESSAGE_ASK, .lane = 1},
        {.kind = MESSAGE_OPENED, .status = REFRAIN_ERR_IO},
        {.kind = MESSAGE_TIMES, .lane = 1, .times = times, .n = 2}};
    struct timestamp back[TIMES_TOGETHER];
    struct process_message m;
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        struct bytes b = bytes_of(&sent[i]);
        for (size_t n = 0; n < b.n; n++)
            cr_expect_not(process_message_get(b.data, n, &m) &&
                              (m.kind != MESSAGE_TIMES || process_message_times(&m, back)),
                          "message %zu, %zu bytes", i, n);
        bytes_put_u8(&b, 0);
        cr_expect_not(process_message_get(b.data, b.n, &m) &&
                          (m.kind != MESSAGE_TIMES || process_message_times(&m, back)),
                      "message %zu is longer", i);
        bytes_free(&b);
    }
    const uint8_t unknown[] = {MESSAGE_KINDS, 0};
    cr_expect_not(process_message_get(unknown, sizeof unknown, &m));
}
