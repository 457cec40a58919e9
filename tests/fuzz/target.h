/* SPDX-License-Identifier: BSD-3-Clause */
/* What fuzz targets share: claims that abort, and the entry that libFuzzer and replay.c call. */
#ifndef REFRAIN_TEST_TARGET_H
#define REFRAIN_TEST_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CLAIM(claim)                                                                                         \
    do {                                                                                                     \
        if (!(claim)) {                                                                                      \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #claim);                        \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#endif
