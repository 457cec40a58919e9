/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify_record.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

static uint64_t hash_text(const char *s, uint64_t seed)
{
    return XXH3_64bits_withSeed(s, strlen(s), seed);
}

/* Each part is hashed with the hash of the parts before it as seed. So nothing is allocated, and
 * "ab" "c" differs from "a" "bc". */
uint64_t verify_record_site_hash(const char *function, const struct frame *frames, uint32_t n_frames,
                                 char *const *modules)
{
    uint64_t hash = hash_text(function, 0);
    for (uint32_t i = 0; i < n_frames; i++) {
        uint8_t offset[8];
        for (unsigned b = 0; b < sizeof offset; b++)
            offset[b] = (uint8_t)(frames[i].offset >> 8 * b);
        hash = hash_text(modules[frames[i].module], hash);
        hash = XXH3_64bits_withSeed(offset, sizeof offset, hash);
    }
    return hash;
}

void verify_record_put_header(struct bytes *b)
{
    bytes_put(b, VERIFY_RECORD_MAGIC, strlen(VERIFY_RECORD_MAGIC));
    bytes_put_u32(b, VERIFY_RECORD_VERSION);
}

void verify_record_put(struct bytes *b, uint64_t site_hash, const int64_t *slots, uint32_t n)
{
    bytes_put_u64(b, site_hash);
    bytes_put_uint(b, n);
    for (uint32_t i = 0; i < n; i++)
        bytes_put_int(b, slots[i]);
}

void verify_record_put_times(struct bytes *b, const struct timestamp *s, uint64_t *left)
{
    bytes_put_int(b, (int64_t)(s->enter - *left));
    bytes_put_uint(b, s->leave - s->enter);
    *left = s->leave;
}

struct timestamp verify_record_get_times(struct bytes_reader *r, uint64_t *left)
{
    const uint64_t enter = *left + (uint64_t)bytes_get_int(r);
    const struct timestamp s = {.enter = enter, .leave = enter + bytes_get_uint(r)};
    *left = s.leave;
    return s;
}
