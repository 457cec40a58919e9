/* SPDX-License-Identifier: BSD-3-Clause */
/* Suggestions for a misspelt word: "maybe report" for "reprot". */
#ifndef REFRAIN_NEAR_WORD_H
#define REFRAIN_NEAR_WORD_H

#include <stddef.h>
#include <stdint.h>

#define NEAR_WORD_NONE SIZE_MAX /* so far apart that it is another word */

/* How far `given` is from `word`, by their letters and digits alone, large ones as small ones: 0 if it is in
 * the word, otherwise the fewest characters to be put in, taken out or changed. */
size_t near_word_distance(const char *word, const char *given);

#endif
