/* SPDX-License-Identifier: BSD-3-Clause */
#include "range_coder.h"

struct range_encoder range_encoder_of(struct bytes *out)
{
    return (struct range_encoder){.out = out, .begin = out->n, .range = UINT32_MAX};
}

void range_encoder_carry(struct range_encoder *e)
{
    size_t i = e->out->n;
    while (i > e->begin && ++e->out->data[--i] == 0)
        ;
}

/* Writes the fewest bytes that identify the interval if zeros follow: a prefix of its lower end, rounded
 * up. */
void range_encoder_finish(struct range_encoder *e)
{
    const uint64_t low = e->low, end = low + e->range;
    uint64_t up = low;
    unsigned zeros = 24;
    while ((up = (low + (UINT64_C(1) << zeros) - 1) >> zeros << zeros) >= end)
        zeros -= 8;
    if (up >> 32)
        range_encoder_carry(e);
    for (unsigned shift = 32; shift > zeros; shift -= 8)
        bytes_put_u8(e->out, (uint8_t)(up >> (shift - 8)));
    while (!e->out->failed && e->out->n > e->begin && e->out->data[e->out->n - 1] == 0)
        e->out->n--;
}

struct range_decoder range_decoder_of(const void *data, size_t n)
{
    struct range_decoder d = {.in = bytes_reader_of(data, n), .range = UINT32_MAX};
    for (int i = 0; i < 4; i++)
        d.at = d.at << 8 | (d.in.at < d.in.end ? *d.in.at++ : 0);
    return d;
}
