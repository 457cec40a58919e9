/* SPDX-License-Identifier: BSD-3-Clause */
/* `effort(all, some)` is a count of cases, or the step of a loop over them: `all` in the optimized build, `some`
 * in the sanitized one, which takes some ten times as long for each. */
#ifndef REFRAIN_TEST_EFFORT_H
#define REFRAIN_TEST_EFFORT_H

#ifdef __SANITIZE_ADDRESS__
#define effort(all, some) (some)
#else
#define effort(all, some) (all)
#endif

#endif
