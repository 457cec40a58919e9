/* SPDX-License-Identifier: BSD-3-Clause */
/* Bisection: the first index for which a condition no longer holds.
 *
 *     i                   0    1    2    3    4
 *     ranks[i]            0    2    2    5    7
 *     ranks[i] < 3        yes  yes  yes  no   no       BISECT(i, 5, ranks[i] < 3) is 3
 *
 * BISECT(i, n, holds) is an expression: `holds` is evaluated for O(log n) values of `i`, a constant that
 * the macro declares, of 0 … n - 1. If it does not hold for one index, it must not hold for any later
 * index. If it holds for all indices, the value is n. The result has the type of n, which must be
 * unsigned. It is a macro, so the condition needs no function and no context, and is compiled in place.
 *
 *     the first item that is not less than x     BISECT(i, n, items[i] < x)
 *     the first item that is greater than x      BISECT(i, n, items[i] <= x)
 *     the last item that is not greater than x,
 *     or else the first; n > 0                   BISECT(i, n - 1, items[i + 1] <= x) */
#ifndef REFRAIN_BISECT_H
#define REFRAIN_BISECT_H

#define BISECT(i, n, holds)                                                                                  \
    ({                                                                                                       \
        __typeof__((n) + 0) bisect_low = 0, bisect_high = (n);                                               \
        while (bisect_low < bisect_high) {                                                                   \
            const __typeof__((n) + 0) i = bisect_low + (bisect_high - bisect_low) / 2;                       \
            if (holds)                                                                                       \
                bisect_low = i + 1;                                                                          \
            else                                                                                             \
                bisect_high = i;                                                                             \
        }                                                                                                    \
        bisect_low;                                                                                          \
    })

#endif
