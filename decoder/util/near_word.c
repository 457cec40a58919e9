/* SPDX-License-Identifier: BSD-3-Clause */
#include "near_word.h"

#include <ctype.h>
#include <string.h>

#define NAME_MOST 64 /* at most this many characters are compared */

/* Copies the letters and digits of a word, in lower case. */
static size_t squeeze(const char *word, char *to)
{
    size_t n = 0;
    for (; *word && n + 1 < NAME_MOST; word++) {
        if (isalnum((unsigned char)*word))
            to[n++] = (char)tolower((unsigned char)*word);
    }
    to[n] = '\0';
    return n;
}

/* Returns the smallest number of insertions, deletions and changes of a character that turn one
 * word into the other. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(b);
    size_t row[NAME_MOST + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t before = row[0]; /* from the row above, to the left */
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            const size_t change = before + (a[i] != b[j]),
                         shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];
            before = row[j + 1];
            row[j + 1] = change < shorter + 1 ? change : shorter + 1;
        }
    }
    return row[n];
}

size_t near_word_distance(const char *word, const char *given)
{
    char name[NAME_MOST], other[NAME_MOST];
    squeeze(word, name);
    const size_t n = squeeze(given, other);
    const size_t apart = strstr(name, other) ? 0 : distance(name, other);
    return n > 2 && apart <= n / 3 + 1 ? apart : NEAR_WORD_NONE;
}
