/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of how a rank ended. */
#include <criterion/criterion.h>

#include "decoder/trace/endings.h"

#include <stdio.h>

static void says(const char *how, int64_t detail, const char *wanted)
{
    struct ending e = {.kind = ENDING_TOLD, .detail = detail};
    struct bytes text = {0};
    snprintf(e.how, sizeof e.how, "%s", how);
    ending_put(&e, &text);
    bytes_put_u8(&text, '\0');
    cr_expect_str_eq((const char *)text.data, wanted);
    bytes_free(&text);
}

Test(endings, words)
{
    says("MPI_Abort", 3, "MPI_Abort with error code 3");
    says("MPI_Abort", -61, "MPI_Abort with error code -61");
    says("signal", 15, "signal 15 (SIGTERM)");
    says("exit", 0, "exit without MPI_Finalize");
    says("lightning", 2, "lightning 2");
}

/* Classes of MPI are not negative: Open MPI also ends processes with codes of its own. */
Test(endings, errors)
{
    says("MPI error", 15, "a fatal MPI error of class 15");
    says("MPI error", -12, "an internal MPI error, -12");
    says("MPI error", -61, "an internal MPI error, -61 (connection to mpirun lost)");
}
