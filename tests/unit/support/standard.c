/* SPDX-License-Identifier: BSD-3-Clause */
#include "standard.h"

#include <criterion/criterion.h>
#include <string.h>

uint32_t standard_function(const char *name)
{
    uint32_t i = 0;
    while (i < gen_functable.functions.n && strcmp(gen_functable.functions.items[i].name, name) != 0)
        i++;
    cr_assert_lt(i, gen_functable.functions.n, "%s", name);
    return i;
}

const struct roles *standard_roles(void)
{
    static struct roles roles;
    if (!roles.items)
        cr_assert_eq(roles_find(&roles, &gen_functable), REFRAIN_OK);
    return &roles;
}

const struct role *standard_role(const char *name)
{
    return &standard_roles()->items[standard_function(name)];
}
