/* SPDX-License-Identifier: BSD-3-Clause */
#include "heat_colour.h"

#include "text.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

void heat_colour_put(struct bytes *out, double fraction)
{
    assert(fraction >= 0 && fraction <= 1);
    static const uint8_t stops[][3] = {{250, 236, 130}, {150, 208, 110}, {60, 160, 135},
                                       {45, 100, 140},  {60, 50, 120},   {45, 10, 60}};
    const double at = fraction * (double)(sizeof stops / sizeof stops[0] - 1);
    const uint32_t i = at >= 4 ? 4 : (uint32_t)at;
    text_putc(out, '#');
    for (unsigned k = 0; k < 3; k++)
        text_printf(out, "%02x",
                    (unsigned)lround(stops[i][k] + (at - i) * ((double)stops[i + 1][k] - stops[i][k])));
}

bool heat_colour_is_dark(double fraction)
{
    assert(fraction >= 0 && fraction <= 1);
    return fraction > 0.5;
}
