/* SPDX-License-Identifier: BSD-3-Clause */
/* How libFuzzer changes the inputs of the targets reader.c and commands.c: images. */
#include "mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t room, unsigned seed)
{
    return mutate_image(data, n, room, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t *out,
                                 size_t room, unsigned seed)
{
    return mutate_cross(a, n_a, b, n_b, out, room, seed);
}
