/* What lies together in the library. A program has its own use for the processor's caches: after its turn, or
 * that of another rank on the same core, each cache line that a call needs may have to be fetched again.
 *
 *     .text.unlikely | .text.hot | .text            .bss.hot | .bss
 *        COLD           HOT                         HOT_DATA */
#ifndef REFRAIN_HEAT_H
#define REFRAIN_HEAT_H

/* Of functions that traced calls go through in the steady state of a program. */
#define HOT __attribute__((hot))
/* Of functions that hardly anything goes through; branches that end in one are laid aside, too. In the
 * declaration. */
#define COLD __attribute__((cold))
/* Of variables that every call reads, which begin as zero. */
#define HOT_DATA __attribute__((section(".bss.hot")))

#endif
