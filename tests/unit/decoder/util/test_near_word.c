/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "decoder/util/near_word.h"

Test(near_word, distances)
{
    cr_assert_eq(near_word_distance("report", "report"), 0);
    cr_assert_eq(near_word_distance("report", "reprot"), 2);
    cr_assert_eq(near_word_distance("report", "Rep-ort"), 0);
    cr_assert_eq(near_word_distance("critical", "crit"), 0); /* is a part of the word */
    cr_assert_eq(near_word_distance("timeline", "timelines"), 1);
    cr_assert_eq(near_word_distance("waits", "aits"), 0);
    cr_assert_eq(near_word_distance("waits", "wiats"), 2);
}

Test(near_word, other_words)
{
    cr_assert_eq(near_word_distance("report", "coffee"), NEAR_WORD_NONE);
    cr_assert_eq(near_word_distance("otf2", "o"), NEAR_WORD_NONE); /* too short to tell */
    cr_assert_eq(near_word_distance("otf2", ""), NEAR_WORD_NONE);
    cr_assert_eq(near_word_distance("", "--"), NEAR_WORD_NONE);
}
