/* SPDX-License-Identifier: BSD-3-Clause */
/* The greatest common divisor. */
#ifndef REFRAIN_GCD_H
#define REFRAIN_GCD_H

/* Of two integers of one type, as wide as that may be, by Euclid's algorithm. Of zero and another number it is
 * the other one. Where one is negative, the sign can be either. */
#define GCD(a, b)                                                                                            \
    ({                                                                                                       \
        __typeof__((a) + (b)) gcd_left = (a), gcd_right = (b);                                               \
        while (gcd_right != 0) {                                                                             \
            const __typeof__((a) + (b)) gcd_rest = gcd_left % gcd_right;                                     \
            gcd_left = gcd_right;                                                                            \
            gcd_right = gcd_rest;                                                                            \
        }                                                                                                    \
        gcd_left;                                                                                            \
    })

#endif
