/* SPDX-License-Identifier: BSD-3-Clause */
#include "src/core/base/log.h"
#include "src/core/trace/functable.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <string.h>

static struct kind kinds[] = {
    {"ERROR_CODE", VALUE_INT, "ERROR_CODE", ""},
    {"RANK", VALUE_INT, "RANK", ""},
    {"COMMUNICATOR", VALUE_HANDLE, "COMMUNICATOR", "comm"},
};
static struct param size_params[] = {{"comm", 2, PARAM_IN}, {"size", 0, PARAM_OUT}};
static struct param rank_params[] = {{"comm", 2, PARAM_IN}, {"rank", 1, PARAM_OUT}};
static struct function functions[] = {
    {"MPI_Comm_size", 1, 2, size_params},
    {"MPI_Comm_rank", 1, 2, rank_params},
    {"MPI_Wtime", 0, 0, NULL},
};
static const struct functable standard = {
    .kinds = {kinds, 3, 0}, .functions = {functions, 3, 0}, .constants = {NULL, 0, 0}};

/* The table of a file, with MPI_Comm_rank and MPI_Wtime. */
static struct functable file_table(void)
{
    struct functable t = {0};
    uint32_t index;
    cr_assert_eq(functable_add_function(&t, &standard, 1, &index), REFRAIN_OK);
    cr_assert_eq(index, 0);
    cr_assert_eq(functable_add_function(&t, &standard, 2, &index), REFRAIN_OK);
    cr_assert_eq(index, 1);
    cr_assert_eq(functable_add_constant(&t, "RANK", -2, "MPI_PROC_NULL"), REFRAIN_OK);
    cr_assert_eq(functable_add_constant(&t, "RANK", -1, "MPI_ANY_SOURCE"), REFRAIN_OK);
    cr_assert_eq(functable_add_constant(&t, "TAG", -1, "MPI_ANY_TAG"), REFRAIN_OK);
    return t;
}

Test(functable, takes_what_is_used_once)
{
    struct functable t = file_table();
    uint32_t index;
    cr_assert_eq(t.kinds.n, 3);
    cr_assert_str_eq(t.kinds.items[t.functions.items[0].params[1].kind].name, "RANK");
    cr_assert_str_eq(t.kinds.items[t.functions.items[0].result - 1].name, "ERROR_CODE");
    cr_assert_eq(t.functions.items[1].result, 0);
    cr_assert_eq(functable_add_function(&t, &standard, 1, &index), REFRAIN_OK);
    cr_assert_eq(index, 0);
    cr_assert_eq(t.functions.n, 2);
    cr_assert_eq(functable_add_constant(&t, "TAG", -1, "MPI_ANY_TAG"), REFRAIN_OK);
    cr_assert_eq(t.constants.n, 3);
    functable_free(&t);
}

Test(functable, names_of_values)
{
    struct functable t = file_table();
    cr_assert_eq(functable_add_constant(&t, "TAG", -1, "ANOTHER_NAME"), REFRAIN_OK);
    cr_assert_str_eq(functable_constant(&t, "TAG", -1), "MPI_ANY_TAG");
    cr_assert_str_eq(functable_constant(&t, "RANK", -1), "MPI_ANY_SOURCE");
    cr_assert_null(functable_constant(&t, "RANK", -3));
    cr_assert_null(functable_constant(&t, "", -1));
    functable_free(&t);
}

Test(functable, values_of_names)
{
    struct functable t = file_table();
    cr_assert_eq(functable_add_constant(&t, "COMMUNICATOR", 1, "MPI_COMM_SELF"), REFRAIN_OK);
    cr_assert_eq(functable_value(&t, "RANK", "MPI_PROC_NULL"), -2);
    cr_assert_eq(functable_value(&t, NULL, "MPI_ANY_TAG"), -1);
    cr_assert_eq(functable_value(&t, "RANK", "MPI_ANY_TAG"), FUNCTABLE_UNUSED);
    cr_assert_eq(functable_value(&t, "RANK", "MPI_ROOT"), FUNCTABLE_UNUSED);
    cr_assert_eq(functable_handle(&t, "COMMUNICATOR", "MPI_COMM_SELF"), 1 << 1 | 1);
    cr_assert_eq(functable_handle(&t, "COMMUNICATOR", "MPI_COMM_WORLD"), FUNCTABLE_UNUSED);
    functable_free(&t);
}

Test(functable, round_trip)
{
    struct functable t = file_table(), back;
    struct bytes b = {0}, again = {0};
    functable_encode(&t, &b);
    struct bytes_reader in = bytes_reader_of(b.data, b.n);
    cr_assert_eq(functable_decode(&in, &back), REFRAIN_OK);
    cr_assert_eq(bytes_left(&in), 0);
    functable_encode(&back, &again);
    cr_assert_eq(b.n, again.n);
    cr_assert_eq(memcmp(b.data, again.data, b.n), 0);
    cr_assert_str_eq(back.functions.items[0].name, "MPI_Comm_rank");
    cr_assert_str_eq(back.functions.items[0].params[0].name, "comm");
    cr_assert_eq(back.functions.items[0].params[1].flags, PARAM_OUT);
    cr_assert_str_eq(functable_constant(&back, "RANK", -2), "MPI_PROC_NULL");
    functable_free(&t);
    functable_free(&back);
    bytes_free(&b);
    bytes_free(&again);
}

Test(functable, cut_off_or_changed, .init = cr_redirect_stderr)
{
    struct functable t = file_table(), back;
    struct bytes b = {0};
    functable_encode(&t, &b);
    for (size_t n = 0; n < b.n; n++) {
        unsigned errors = log_error_count();
        struct bytes_reader in = bytes_reader_of(b.data, n);
        cr_assert_eq(functable_decode(&in, &back), REFRAIN_ERR_FORMAT, "%zu bytes", n);
        cr_assert_eq(log_error_count(), errors + 1);
    }
    for (size_t bit = 0; bit < 8 * b.n; bit++) {
        b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        struct bytes_reader in = bytes_reader_of(b.data, b.n);
        if (functable_decode(&in, &back) == REFRAIN_OK)
            functable_free(&back);
        b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    functable_free(&t);
    bytes_free(&b);
}
