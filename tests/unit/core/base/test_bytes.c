/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "src/core/base/bytes.h"

static const int64_t SIGNED[] = {0, -1, 1, -2, 63, -64, 64, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};

Test(bytes, the_codes_are_those_of_the_header)
{
    struct bytes b = {0};
    bytes_put_uint(&b, 300);
    bytes_put_int(&b, -1);
    bytes_put_string(&b, "ab", 2);
    bytes_put_u32(&b, 0x01020304);
    static const uint8_t expected[] = {0xAC, 0x02, 0x01, 0x02, 'a', 'b', 4, 3, 2, 1};
    cr_assert_not(b.failed);
    cr_assert_eq(b.n, sizeof expected);
    cr_assert_eq(memcmp(b.data, expected, sizeof expected), 0);
    bytes_free(&b);
    cr_assert_null(b.data);
}

Test(bytes, every_kind_of_value_comes_back)
{
    struct bytes b = {0};
    for (unsigned shift = 0; shift < 64; shift++) {
        bytes_put_uint(&b, UINT64_C(1) << shift);
        bytes_put_uint(&b, (UINT64_C(1) << shift) - 1);
    }
    bytes_put_uint(&b, UINT64_MAX);
    for (size_t i = 0; i < sizeof SIGNED / sizeof SIGNED[0]; i++)
        bytes_put_int(&b, SIGNED[i]);
    bytes_put_u8(&b, 0xFE);
    bytes_put_u32(&b, 0xDEADBEEF);
    bytes_put_u64(&b, UINT64_C(0x0123456789ABCDEF));
    bytes_put_string(&b, "", 0);
    bytes_put_string(&b, "caller", 6);
    bytes_put(&b, NULL, 0);

    struct bytes_reader r = bytes_reader_of(b.data, b.n);
    for (unsigned shift = 0; shift < 64; shift++) {
        cr_assert_eq(bytes_get_uint(&r), UINT64_C(1) << shift);
        cr_assert_eq(bytes_get_uint(&r), (UINT64_C(1) << shift) - 1);
    }
    cr_assert_eq(bytes_get_uint(&r), UINT64_MAX);
    for (size_t i = 0; i < sizeof SIGNED / sizeof SIGNED[0]; i++)
        cr_assert_eq(bytes_get_int(&r), SIGNED[i]);
    cr_assert_eq(bytes_get_u8(&r), 0xFE);
    cr_assert_eq(bytes_get_u32(&r), 0xDEADBEEF);
    cr_assert_eq(bytes_get_u64(&r), UINT64_C(0x0123456789ABCDEF));
    char *empty = bytes_get_string(&r), *caller = bytes_get_string(&r);
    cr_assert_str_eq(empty, "");
    cr_assert_str_eq(caller, "caller");
    cr_assert_eq(bytes_left(&r), 0);
    cr_assert_not(r.failed);
    free(empty);
    free(caller);
    bytes_free(&b);
}

Test(bytes, nothing_is_read_beyond_the_end)
{
    static const uint8_t three[] = {1, 2, 3};
    struct bytes_reader r = bytes_reader_of(three, sizeof three);
    cr_assert_eq(bytes_get_u32(&r), 0);
    cr_assert(r.failed);
    cr_assert_eq(bytes_left(&r), 0);
    cr_assert_eq(bytes_get_u8(&r), 0, "a failure is for good");

    r = bytes_reader_of(three, sizeof three);
    cr_assert_null(bytes_get(&r, 4));
    r = bytes_reader_of(three, sizeof three);
    cr_assert_eq(bytes_get(&r, 3), (const void *)three);
    cr_assert_not(r.failed);

    r = bytes_reader_of(NULL, 0);
    cr_assert_not_null(bytes_get(&r, 0));
    cr_assert_not(r.failed);
    cr_assert_eq(bytes_get_uint(&r), 0);
    cr_assert(r.failed);
}

static bool uint_fails(const void *code, size_t n)
{
    struct bytes_reader r = bytes_reader_of(code, n);
    return bytes_get_uint(&r) == 0 && r.failed;
}

Test(bytes, a_number_has_one_code)
{
    cr_assert(uint_fails("\x80", 1), "cut off");
    cr_assert(uint_fails("\x80\x00", 2), "overlong");
    cr_assert(uint_fails("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 10), "beyond 64 bits");
    cr_assert(uint_fails("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x81\x00", 11), "longer than 10 bytes");
    struct bytes_reader r = bytes_reader_of("\x00", 1);
    cr_assert_eq(bytes_get_uint(&r), 0);
    cr_assert_not(r.failed);
}

Test(bytes, a_count_is_believed_only_if_so_much_can_follow)
{
    static const uint8_t code[] = {3, 0, 0, 0, 0, 0, 0};
    struct bytes_reader r = bytes_reader_of(code, sizeof code);
    cr_assert_eq(bytes_get_count(&r, 2), 3);
    cr_assert_not(r.failed);
    r = bytes_reader_of(code, sizeof code - 1);
    cr_assert_eq(bytes_get_count(&r, 2), 0);
    cr_assert(r.failed);
}

Test(bytes, bad_strings_fail)
{
    struct bytes_reader cut = bytes_reader_of("\x05"
                                              "abc",
                                              4);
    cr_assert_null(bytes_get_string(&cut));
    cr_assert(cut.failed);
    struct bytes_reader with_nul = bytes_reader_of("\x03"
                                                   "a\0b",
                                                   4);
    cr_assert_null(bytes_get_string(&with_nul));
    cr_assert(with_nul.failed);
}
