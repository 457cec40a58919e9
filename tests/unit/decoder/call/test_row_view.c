/* SPDX-License-Identifier: BSD-3-Clause */
/* How a row is viewed: calls that returned, failed or did neither, their fields, and which slots
 * decide. */
#include "decoder/call/row_view.h"
#include "tests/unit/support/standard.h"

#include <criterion/criterion.h>

static void look(struct row_view *v, const char *name, const int64_t *slots, uint32_t n, uint8_t *uses)
{
    const uint32_t function = standard_function(name);
    cr_assert_eq(row_view_look(v, &gen_functable, standard_role(name), function, slots, n, uses), REFRAIN_OK);
}
#define LOOK(v, name, slots, uses) look(v, name, slots, sizeof(slots) / sizeof(slots)[0], uses)

static void expect_range(struct slot_range r, uint32_t at, uint32_t n)
{
    cr_expect(r.at == at && r.n == n, "{%u, %u} is not {%u, %u}", r.at, r.n, at, n);
}

/* The example in row_view.h. */
Test(row_view, fields_before_and_after)
{
    static const int64_t slots[] = {2, 2, 0, 2, 0, 2, 1, 1, 2, 0, 3, 5, 0, 8, 0, 0, 4, 6, 0, 16, 0};
    static const uint8_t decide[] = {
        [1] = SLOT_DECIDES, [4] = SLOT_DECIDES, [5] = SLOT_DECIDES, [8] = SLOT_DECIDES, [20] = SLOT_UNUSED};
    uint8_t uses[sizeof decide] = {0};
    struct row_view v;
    LOOK(&v, "MPI_Waitall", slots, uses);
    cr_expect(v.returned);
    cr_expect_not(v.failed);
    expect_range(v.before[FIELD_REQUESTS], 2, 2);
    expect_range(v.after[FIELD_REQUESTS], 6, 2);
    expect_range(v.after[FIELD_STATUSES], 9, 2);
    cr_expect_eq(v.before[FIELD_STATUSES].n, 0);
    cr_expect_eq(v.before[FIELD_COMM].n, 0);
    cr_expect_arr_eq(uses, decide, sizeof decide);
}

Test(row_view, one_parameter_may_be_several_fields)
{
    static const int64_t slots[] = {ADDRESS_HEAP, 7, 24, 10, 1, 0, 1, 0};
    static const uint8_t decide[] = {SLOT_DECIDES, 0, 0, 0, 0, 0, 0, SLOT_DECIDES};
    uint8_t uses[sizeof decide] = {0};
    struct row_view v;
    LOOK(&v, "MPI_Bcast", slots, uses);
    expect_range(v.before[FIELD_SENT_BUFFER], 0, 1);
    expect_range(v.before[FIELD_SENT_COUNT], 3, 1);
    expect_range(v.before[FIELD_SENT_TYPE], 4, 1);
    expect_range(v.before[FIELD_RECEIVED_BUFFER], 0, 1);
    expect_range(v.before[FIELD_RECEIVED_COUNT], 3, 1);
    expect_range(v.before[FIELD_RECEIVED_TYPE], 4, 1);
    expect_range(v.before[FIELD_ROOT], 5, 1);
    expect_range(v.before[FIELD_COMM], 6, 1);
    cr_expect_arr_eq(uses, decide, sizeof decide);
}

Test(row_view, calls_that_failed_or_did_not_return)
{
    static const int64_t failed[] = {0, 16}, stuck[] = {0};
    /* The error is in the status, so there are results. */
    static const int64_t in_status[] = {0, 16, 1, 0, 3, 5, 16, 8, 0};
    struct row_view v;
    LOOK(&v, "MPI_Wait", failed, NULL);
    cr_expect(v.returned && v.failed && v.error == 16);
    expect_range(v.before[FIELD_REQUESTS], 0, 1);
    cr_expect_eq(v.after[FIELD_REQUESTS].n, 0);
    LOOK(&v, "MPI_Wait", stuck, NULL);
    cr_expect(!v.returned && !v.failed && v.error == 0);
    LOOK(&v, "MPI_Wait", in_status, NULL);
    cr_expect(v.returned && !v.failed && v.error == 16);
    expect_range(v.after[FIELD_STATUSES], 3, 1);
}

/* A procedure without a result always counts as returned. */
Test(row_view, procedures_without_a_result)
{
    struct row_view v;
    look(&v, "MPI_Wtime", NULL, 0, NULL);
    cr_expect(v.returned && !v.failed);
}

Test(row_view, arrays_without_elements_are_no_fields)
{
    static const int64_t slots[] = {0, 0, 0, 0, ARRAY_NULL};
    struct row_view v;
    LOOK(&v, "MPI_Waitall", slots, NULL);
    cr_expect_eq(v.before[FIELD_REQUESTS].n, 0);
    cr_expect_eq(v.after[FIELD_STATUSES].n, 0);
}

Test(row_view, rows_that_do_not_fit)
{
    static const int64_t slots[] = {2, 5}; /* an array of five requests, which is not there */
    struct row_view v;
    cr_expect_eq(row_view_look(&v, &gen_functable, standard_role("MPI_Waitall"),
                               standard_function("MPI_Waitall"), slots, 2, NULL),
                 REFRAIN_ERR_FORMAT);
}
