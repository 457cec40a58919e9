/* SPDX-License-Identifier: BSD-3-Clause */
#include "wave.h"

#include "decoder/util/text.h"

/* Returns the number of dimensions; 0 if some rank has no coordinates or there are too many
 * dimensions. */
static unsigned count_dims(const struct compass *c)
{
    if (!c->lattice || c->lattice->n_dims > WAVE_DIMS)
        return 0;
    for (uint32_t i = 0; i < c->n_ranks; i++) {
        if (!compass_coordinates(c, c->first_rank + i))
            return 0;
    }
    return c->lattice->n_dims;
}

/* Decodes base-3 digits into coefficients. Returns how many are not 0. */
static unsigned decode(unsigned code, unsigned n, int *coefs)
{
    static const int values[] = {0, 1, -1};
    unsigned used = 0;
    for (unsigned d = 0; d < n; d++, code /= 3) {
        coefs[d] = values[code % 3];
        used += coefs[d] != 0;
    }
    return used;
}

bool wave_take(const struct compass *c, unsigned number, struct wave *out)
{
    *out = (struct wave){.n_dims = count_dims(c)};
    const unsigned n = out->n_dims > 0 ? out->n_dims : 1;
    unsigned codes = 1, seen = 0;
    for (unsigned d = 0; d < n; d++)
        codes *= 3;
    for (unsigned used = 1; used <= n; used++)
        for (unsigned code = 1; code < codes; code++)
            if (decode(code, n, out->coefs) == used && seen++ == number)
                return true;
    return false;
}

int64_t wave_place(const struct wave *w, const struct compass *c, uint32_t rank)
{
    int64_t place = w->n_dims == 0 ? w->coefs[0] * (int64_t)rank : 0;
    const uint32_t *x = w->n_dims > 0 ? compass_coordinates(c, rank) : NULL;
    for (unsigned d = 0; d < w->n_dims; d++)
        place += w->coefs[d] * (int64_t)x[d];
    return place;
}

void wave_put(const struct wave *w, struct bytes *out)
{
    int sign = 0;
    for (unsigned d = 0; d < (w->n_dims > 0 ? w->n_dims : 1); d++) {
        if (w->coefs[d] == 0)
            continue;
        if (sign != 0)
            text_putc(out, w->coefs[d] == sign ? '+' : '-');
        else
            sign = w->coefs[d];
        if (w->n_dims == 0)
            text_put(out, "rank");
        else
            candidate_put_axis(d, out);
    }
    text_printf(out, " = %lld to %lld", (long long)(sign * w->first), (long long)(sign * w->last));
}
