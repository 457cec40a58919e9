/* SPDX-License-Identifier: BSD-3-Clause */
/* Changing images for libFuzzer: a section's content, and seldom the container itself. */
#ifndef REFRAIN_TEST_MUTATE_H
#define REFRAIN_TEST_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* In place, at most `room` bytes; the new length. */
size_t mutate_image(uint8_t *data, size_t n, size_t room, unsigned seed);
/* An image with sections of both; its length, 0 if nothing came of it. */
size_t mutate_cross(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t *out, size_t room,
                    unsigned seed);

/* libFuzzer's own, and what it looks for. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b, uint8_t *out,
                                 size_t room, unsigned seed);

#endif
