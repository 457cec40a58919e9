/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of environment variables, and which functions a list of patterns picks. */
#include <criterion/criterion.h>

#include <signal.h>
#include <string.h>

#include "src/core/settings/variable.h"

static bool takes(enum variable_id id, const char *text, struct variable_value *value)
{
    *value = (struct variable_value){.number = 99};
    const bool fine = variable_parse(&variables[id], text, value);
    cr_expect_eq(value->text, fine ? text : NULL, "%s", text);
    cr_expect(fine || value->number == 99, "%s", text);
    return fine;
}

Test(variable, numbers)
{
    static const struct {
        enum variable_id id;
        const char *text;
        uint64_t number;
    } good[] = {
        {VARIABLE_TIMING, "aggregate", 0},
        {VARIABLE_TIMING, "aggregate:rank", 1},
        {VARIABLE_TIMING, "off", 2},
        {VARIABLE_TIMING, "lossy:1.05:10us", TIMES_OF_CALLS},
        {VARIABLE_TIMING, "lossless", TIMES_OF_CALLS},
        {VARIABLE_TIMING_BASE, "MPI_Send=1.5,MPI_Recv=1.01", 0},
        {VARIABLE_TIME_BUDGET, "none", UINT64_MAX},
        {VARIABLE_TIME_BUDGET, "4096", 4096},
        {VARIABLE_TIME_BUDGET, "64K:1G", 65536},
        {VARIABLE_CHECK, "1", 1},
        {VARIABLE_FORTRAN_NAMES, "none", 1},
        {VARIABLE_FORTRAN_NAMES, "all", 6},
        {VARIABLE_CHECKPOINT, "0", 0},
        {VARIABLE_CHECKPOINT, "0.25", 250000000},
        {VARIABLE_PROCESS, "17", 17},
        {VARIABLE_START, "0", 0},
        {VARIABLE_START, "18446744073709551615", UINT64_MAX},
    };
    struct variable_value value;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(takes(good[i].id, good[i].text, &value), "%s", good[i].text);
        cr_expect_eq(value.number, good[i].number, "%s", good[i].text);
        cr_expect_eq(value.signal, 0);
    }
    cr_expect(takes(VARIABLE_TIME_BUDGET, "1M:256M", &value));
    cr_expect(value.number == 1 << 20 && value.all == 256 << 20);
    cr_expect(takes(VARIABLE_TIME_BUDGET, "1M", &value));
    cr_expect_eq(value.all, UINT64_MAX);
    cr_expect(takes(VARIABLE_START, "SIGUSR1", &value));
    cr_expect_eq(value.signal, SIGUSR1);
}

Test(variable, without_sense)
{
    static const struct {
        enum variable_id id;
        const char *text;
    } bad[] = {
        {VARIABLE_TIMING, "aggregat"},
        {VARIABLE_TIMING, "aggregate|off"},
        {VARIABLE_TIMING, "offs"},
        {VARIABLE_TIMING, "lossy:1"},
        {VARIABLE_TIMING_BASE, "MPI_Send"},
        {VARIABLE_TIME_BUDGET, "M"},
        {VARIABLE_TIME_BUDGET, "-1"},
        {VARIABLE_TIME_BUDGET, "1T"},
        {VARIABLE_TIME_BUDGET, "1M:"},
        {VARIABLE_TIME_BUDGET, "1M:2M:3M"},
        {VARIABLE_TIME_BUDGET, "99999999999G"},
        {VARIABLE_CHECK, "2"},
        {VARIABLE_CHECKPOINT, "-1"},
        {VARIABLE_CHECKPOINT, "nan"},
        {VARIABLE_CHECKPOINT, "1 "},
        {VARIABLE_PROCESS, "0"},
        {VARIABLE_PROCESS, "1x"},
        {VARIABLE_START, "-5"},
        {VARIABLE_START, "SIGKILL"},
        {VARIABLE_START, "+1"},
        {VARIABLE_START, "18446744073709551616"},
        {VARIABLE_FUNCTIONS, ","},
        {VARIABLE_FUNCTIONS, "a,,b"},
        {VARIABLE_FUNCTIONS, "a,!"},
    };
    struct variable_value value;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_not(takes(bad[i].id, bad[i].text, &value), "%s", bad[i].text);
    char many[300];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    cr_expect_not(takes(VARIABLE_FUNCTIONS, many, &value));
}

Test(variable, defaults_make_sense)
{
    struct variable_value value;
    for (size_t i = 0; i < VARIABLES; i++) {
        const struct variable *v = &variables[i];
        if (*v->standard)
            cr_expect(takes((enum variable_id)i, v->standard, &value), "%s", v->name);
        cr_expect_null(variable_default(v).text);
        for (size_t k = 0; k < i; k++)
            cr_expect_str_neq(v->name, variables[k].name);
    }
    cr_expect_eq(variable_default(&variables[VARIABLE_CHECKPOINT]).number, UINT64_C(60000000000));
}

Test(variable, patterns)
{
    static const struct {
        const char *patterns, *picked, *left_out;
    } cases[] = {
        {"*", "MPI_Send", NULL},
        {"MPI_Send", "MPI_Send", "MPI_Ssend"},
        {"mpi_send", "MPI_Send", "MPI_Isend"},
        {"MPI_*,!MPI_Wtime", "MPI_Send", "MPI_Wtime"},
        {"!MPI_Wtime", "MPI_Send", "MPI_Wtime"},
        {"!MPI_Wtime,!MPI_Iprobe", "MPI_Probe", "MPI_Iprobe"},
        {"!MPI_W*,MPI_Wait", "MPI_Wait", "MPI_Wtime"},
        {"MPI_Wait,!MPI_W*", NULL, "MPI_Wait"},
        {"MPI_[IR]*,!*_c", "MPI_Recv", "MPI_Recv_c"},
        {"MPI_I?end", "MPI_Isend", "MPI_Issend"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].picked)
            cr_expect(variable_pick(cases[i].patterns, cases[i].picked), "%s", cases[i].patterns);
        if (cases[i].left_out)
            cr_expect_not(variable_pick(cases[i].patterns, cases[i].left_out), "%s", cases[i].patterns);
    }
}
