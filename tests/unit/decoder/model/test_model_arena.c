/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is freed from a place on. */
#include <criterion/criterion.h>

#include "decoder/model/model_arena.h"

#include <string.h>

enum { SIZES = 4 };

/* What comes after the return is zeroed again, whether it is in the same chunk or not. */
Test(model_arena, returns)
{
    static const size_t sizes[SIZES] = {1, 1000, 100000, 3000000};
    for (size_t i = 0; i < SIZES; i++) {
        struct arena a = {0};
        char *kept = arena_array(&a, 10, 1);
        memset(kept, 7, 10);
        const struct arena_mark mark = arena_mark(&a);
        for (size_t k = 0; k < 5; k++)
            memset(arena_array(&a, sizes[i], 1), 9, sizes[i]);
        arena_return(&a, mark);
        const char *again = arena_array(&a, 200, 1);
        for (size_t k = 0; k < 200; k++)
            cr_assert_eq(again[k], 0);
        cr_assert(kept[0] == 7 && kept[9] == 7);
        arena_free(&a);
    }
}

Test(model_arena, returns_to_the_beginning)
{
    struct arena a = {0};
    const struct arena_mark mark = arena_mark(&a);
    cr_assert(arena_array(&a, 10, 1));
    arena_return(&a, mark);
    cr_assert_null(a.chunks);
}
