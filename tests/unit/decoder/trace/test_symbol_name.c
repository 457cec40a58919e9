/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/trace/symbol_name.h"

static void expect(const char *symbol, const char *name)
{
    struct symbol_names names = {0};
    cr_assert_str_eq(symbol_name_of(&names, symbol), name);
    symbol_names_free(&names);
}

Test(symbol_name, fortran)
{
    expect("__flow_MOD_exchange", "flow::exchange");
    expect("__my_flow_MOD_do_exchange", "my_flow::do_exchange");
    expect("__flow.fast_MOD_exchange", "flow.fast::exchange"); /* in a submodule */
    expect("exchange_", "exchange_");                          /* in no module */
}

Test(symbol_name, no_module)
{
    expect("__MOD_exchange", "__MOD_exchange");
    expect("__flow_MOD_", "__flow_MOD_");
    expect("flow_MOD_exchange", "flow_MOD_exchange");
    expect("__libc_start_main", "__libc_start_main");
    expect("_", "_");
    expect("", "");
}

Test(symbol_name, others)
{
    expect("main", "main");
#ifdef REFRAIN_DEMANGLE
    expect("_ZN6Solver8exchangeEv", "Solver::exchange");
#endif
}
