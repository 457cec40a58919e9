/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/logical/joint/components.h"

#include <stdlib.h>

/* The component of each node, as digits. */
static void expect(uint32_t n, const char *const *edges, const char *wanted)
{
    struct component_edges all = {0};
    uint32_t *of, n_components, most = 0;
    for (size_t i = 0; edges[i]; i++)
        cr_assert(array_push(
            &all, ((struct component_edge){(uint32_t)(edges[i][0] - '0'), (uint32_t)(edges[i][1] - '0')})));
    cr_assert_eq(components_find(n, &all, &of, &n_components), REFRAIN_OK);
    for (uint32_t i = 0; i < n; i++) {
        cr_assert_eq(of[i], (uint32_t)(wanted[i] - '0'), "node %u is in %u", i, of[i]);
        most = of[i] + 1 > most ? of[i] + 1 : most;
    }
    cr_assert_eq(n_components, most);
    free(of);
    array_free(&all);
}

Test(components, what_is_in_a_circle_is_one)
{
    expect(0, (const char *const[]){NULL}, "");
    expect(3, (const char *const[]){NULL}, "012");
    expect(4, (const char *const[]){"01", "10", "23", NULL}, "0012");
    expect(5, (const char *const[]){"01", "12", "20", "23", "34", "43", NULL}, "00011");
    expect(4, (const char *const[]){"01", "12", "23", "30", NULL}, "0000");
}

Test(components, the_order_is_that_of_the_edges_and_then_of_the_nodes)
{
    expect(3, (const char *const[]){"20", NULL}, "201");
    expect(4, (const char *const[]){"31", "10", "32", NULL}, "2130");
    expect(5, (const char *const[]){"40", "41", "10", "01", NULL}, "33012");
}
