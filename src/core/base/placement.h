/* SPDX-License-Identifier: BSD-3-Clause */
/* What lies together in the library. A program has its own use for the processor's caches: after its turn, or
 * that of another rank on the same core, each cache line that a call needs may have to be fetched again, and
 * each page be looked up again (bench/crowd.sh).
 *
 *     .text.unlikely | .text.hot | .text            .data | .data.hot | .bss
 *        COLD           HOT                                 HOT_DATA */
#ifndef REFRAIN_PLACEMENT_H
#define REFRAIN_PLACEMENT_H

/* Of functions that traced calls go through in the steady state of a program. */
#define HOT __attribute__((hot))
/* Of functions that hardly anything goes through; branches that end in one are laid aside, too. In the
 * declaration. */
#define COLD __attribute__((cold))
/* Of variables that every call reads. */
#define HOT_DATA __attribute__((section(".data.hot")))

#endif
