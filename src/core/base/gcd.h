/* SPDX-License-Identifier: BSD-3-Clause */
/* The greatest common divisor. */
#ifndef REFRAIN_GCD_H
#define REFRAIN_GCD_H

/* The greatest common divisor of two integers of one type of any width, by Euclid's algorithm. If
 * one is zero, it is the other. If one is negative, the result may have either sign. */
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
