/* SPDX-License-Identifier: BSD-3-Clause */
#include "bit_coder.h"

struct bit_encoder bit_encoder_of(struct bytes *out)
{
    return (struct bit_encoder){.out = out, .low = 0, .high = UINT32_MAX};
}

/* Write the fewest bytes that identify the interval if zeros follow: a prefix of its lower end,
 * rounded up. */
void bit_encoder_finish(struct bit_encoder *e)
{
    for (unsigned shift = 24, written = 0; e->low > 0 && !written; shift -= 8) {
        const uint64_t unit = UINT64_C(1) << shift, up = (e->low + unit - 1) / unit * unit;
        written = up <= e->high;
        for (unsigned s = 24; written && s >= shift && s <= 24; s -= 8)
            bytes_put_u8(e->out, (uint8_t)(up >> s));
    }
}

struct bit_decoder bit_decoder_of(const void *data, size_t n)
{
    struct bit_decoder d = {.in = bytes_reader_of(data, n), .low = 0, .high = UINT32_MAX};
    for (int i = 0; i < 4; i++)
        d.at = d.at << 8 | (d.in.at < d.in.end ? *d.in.at++ : 0);
    return d;
}
