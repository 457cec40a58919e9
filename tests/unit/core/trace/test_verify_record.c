/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/trace/verify_record.h"

#include <criterion/criterion.h>
#include <string.h>

static char *modules[] = {"a.out", "libapp.so", "libapp.so.2"};

Test(verify_record, bytes)
{
    static const uint8_t expected[] = {'R',  'F',  'R',  'W',  2,    0,    0,    0,    /* header */
                                       0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, /* site */
                                       3,    0,    1,    0xD8, 4};                     /* 0, -1, 300 */
    static const int64_t slots[] = {0, -1, 300};
    struct bytes b = {0};
    verify_record_put_header(&b);
    verify_record_put(&b, UINT64_C(0x1122334455667788), slots, 3);
    cr_assert(!b.failed);
    cr_assert_eq(b.n, sizeof expected);
    cr_assert_eq(memcmp(b.data, expected, b.n), 0);
    bytes_free(&b);
}

Test(verify_record, timestamps)
{
    static const struct timestamp timestamps[] = {
        {1000, 1500}, {1400, 1600}, {1600, 1600}, {5000000000, 5000000001}};
    struct bytes b = {0};
    uint64_t left = 0;
    for (size_t i = 0; i < 4; i++)
        verify_record_put_times(&b, &timestamps[i], &left);
    struct bytes_reader in = bytes_reader_of(b.data, b.n);
    left = 0;
    for (size_t i = 0; i < 4; i++) {
        const struct timestamp s = verify_record_get_times(&in, &left);
        cr_assert(s.enter == timestamps[i].enter && s.leave == timestamps[i].leave, "%zu", i);
    }
    cr_assert_eq(bytes_left(&in), 0);
    bytes_free(&b);
}

Test(verify_record, hash_is_of_names_not_numbers)
{
    char *renumbered[] = {"libapp.so", "a.out"};
    struct frame frames[] = {{0, 0x1234}, {1, 0x10}}, same[] = {{1, 0x1234}, {0, 0x10}};
    cr_assert_eq(verify_record_site_hash("MPI_Send", frames, 2, modules),
                 verify_record_site_hash("MPI_Send", same, 2, renumbered));
}

Test(verify_record, hash_tells_sites_apart)
{
    static const struct {
        const char *function;
        struct frame frames[2];
        uint32_t n;
    } sites[] = {
        {"MPI_Send", {{0, 1}, {1, 2}}, 2}, {"MPI_Ssend", {{0, 1}, {1, 2}}, 2},
        {"MPI_Send", {{1, 1}, {1, 2}}, 2}, {"MPI_Send", {{0, 2}, {1, 2}}, 2},
        {"MPI_Send", {{0, 1}, {2, 2}}, 2}, {"MPI_Send", {{0, 1}, {1, 256}}, 2},
        {"MPI_Send", {{1, 2}, {0, 1}}, 2}, {"MPI_Send", {{0, 1}}, 1},
        {"MPI_Send", {{0, 0}}, 0},
    };
    const size_t n = sizeof sites / sizeof sites[0];
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            cr_assert_neq(verify_record_site_hash(sites[i].function, sites[i].frames, sites[i].n, modules),
                          verify_record_site_hash(sites[k].function, sites[k].frames, sites[k].n, modules),
                          "%zu and %zu", i, k);
    }
}
