/* SPDX-License-Identifier: BSD-3-Clause */
/* References to lists in rows. */
#include "src/core/passes/codec_row.h"
#include "src/core/trace/rankfn.h"

#include <criterion/criterion.h>

#define LIST_CODE(form, field, number)                                                                       \
    {                                                                                                        \
        .forms = (form), .field = (number)                                                                   \
    }

Test(codec_row, the_next_list_has_a_code)
{
    static const struct slot_code rows[2][4] = {
        {LIST_CODE(RANKFN_PLAIN, plain, 90), LIST_CODE(RANKFN_RELATIVE, relative, 91),
         LIST_CODE(RANKFN_PLAIN, plain, 92), LIST_CODE(RANKFN_PLAIN, plain, 90)},
        {LIST_CODE(RANKFN_PLAIN, plain, 91),
         {.forms = SLOT_NATURAL, .constant = 4},
         LIST_CODE(RANKFN_PLAIN, plain, 92),
         LIST_CODE(RANKFN_PLAIN, plain, 90)}};
    static const uint64_t expected[] = {90 << 4 | 3,  34 << 4 | 11, 33 << 4 | 11, 90 << 4 | 3,
                                        33 << 4 | 11, 16,           1 << 4 | 7};
    struct bytes out = {0};
    slot_codes codes = {0};
    uint32_t next = 0;
    codec_put_row(&out, rows[0], 4, NULL, 0, &next);
    codec_put_row(&out, rows[1], 4, rows[0], 4, &next);
    struct bytes_reader in = bytes_reader_of(out.data, out.n);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_expect_eq(bytes_get_uint(&in), expected[i], "code %zu", i);
    cr_assert_eq(bytes_left(&in), 0);

    in = bytes_reader_of(out.data, out.n);
    next = 0;
    cr_assert_eq(codec_get_row(&in, 93, 4, 0, 0, &next, &codes), REFRAIN_OK);
    cr_assert_eq(codec_get_row(&in, 93, 4, 0, 4, &next, &codes), REFRAIN_OK);
    for (size_t i = 0; i < 8; i++)
        cr_expect(slot_code_equal(&codes.items[i], &rows[i / 4][i % 4]), "slot %zu", i);

    in = bytes_reader_of(out.data, out.n);
    next = 0;
    cr_assert_eq(codec_get_row(&in, 92, 4, 0, 0, &next, &codes), REFRAIN_ERR_FORMAT, "there is no list 92");
    array_free(&codes);
    bytes_free(&out);
}
