/* SPDX-License-Identifier: BSD-3-Clause */
/* Places hot code and data together in the library. The program uses the processor's caches too: after it
 * has run, or another rank on the same core, each cache line and each page that a call needs may be
 * missing from the caches (bench/crowd.sh).
 *
 *     .text.unlikely | .text.hot | .text            .data | .data.hot | .bss
 *        COLD           HOT                                 HOT_DATA */
#ifndef REFRAIN_PLACEMENT_H
#define REFRAIN_PLACEMENT_H

/* For functions that traced calls execute in the steady state of a program. */
#define HOT __attribute__((hot))
/* For functions that are rarely executed; branches that call them are moved away too. Put COLD in the
 * declaration. */
#define COLD __attribute__((cold))
/* For variables that every call reads. */
#define HOT_DATA __attribute__((section(".data.hot")))

#endif
