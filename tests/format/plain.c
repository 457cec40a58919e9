/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 7: the code of plain values. */
#include "steps.h"

#include <stdlib.h>

/* Reads plain values: numbers in planes of 8, 4, 2 or 1 bits. They are values or differences,
 * above a minimum or in a dictionary. */
void get_plain(struct input *in, int64_t *values, size_t n)
{
    uint64_t way = get_uint(in), first = 0, *words = NULL, n_words = 0, most;
    refuse_if(in, way > 3, "plain values of an unknown kind");
    if (way & 1) {
        first = (uint64_t)get_int(in);
        *values++ = (int64_t)first;
        n--;
    }
    uint64_t least = (uint64_t)get_int(in), width = 1;
    if (way & 2) {
        n_words = get_count(in, 1) + 2;
        words = zeroed(n_words, sizeof *words);
        words[0] = least;
        for (size_t i = 1; i < n_words; i++)
            words[i] = words[i - 1] + get_uint(in) + 1;
        for (most = n_words - 1; most >> width; width++)
            ;
    } else {
        width = get_uint(in);
        refuse_if(in, width < 1 || width > 64, "plain values of no or too many bits");
    }
    for (uint64_t shift = 0, bits; shift < width; shift += bits) {
        uint64_t left = width - shift;
        bits = left > 4 ? 8 : left > 2 ? 4 : left;
        for (size_t i = 0; i < n;) {
            unsigned byte = *get(in, 1);
            for (unsigned at = 0; at < 8 && i < n; at += (unsigned)bits, byte >>= bits)
                values[i++] |= (int64_t)((uint64_t)(byte & ((1u << bits) - 1)) << shift);
            refuse_if(in, byte, "bits behind the last plain value");
        }
    }
    for (size_t i = 0; i < n; i++) {
        refuse_if(in, words && (uint64_t)values[i] >= n_words, "a word that the dictionary does not have");
        uint64_t value = words ? words[values[i]] : least + (uint64_t)values[i];
        values[i] = (int64_t)(way & 1 ? first += value : value);
    }
    free(words);
}
