/* SPDX-License-Identifier: BSD-3-Clause */
#include "quantile.h"

#include <assert.h>

/* Which share of the values is below each marker. */
static const float shares[QUANTILE_MARKERS] = {0, 0.125F, 0.25F, 0.625F, 1};

static void insert(struct quantile *q, float value)
{
    uint32_t i = q->n;
    for (; i > 0 && q->value[i - 1] > value; i--)
        q->value[i] = q->value[i - 1];
    q->value[i] = value;
    q->at[q->n] = q->n + 1;
    q->n++;
}

/* Where a parabola through three markers is, one value above or below the middle one; if that is not between its
 * neighbours, where a line is. */
static float moved(const struct quantile *q, unsigned i, int by)
{
    const float at = (float)q->at[i], below = (float)q->at[i - 1], above = (float)q->at[i + 1],
                step = (float)by, up = (q->value[i + 1] - q->value[i]) / (above - at),
                down = (q->value[i] - q->value[i - 1]) / (at - below);
    const float value =
        q->value[i] + step / (above - below) * ((at - below + step) * up + (above - at - step) * down);
    if (value > q->value[i - 1] && value < q->value[i + 1])
        return value;
    return q->value[i] + step * (by > 0 ? up : down);
}

static void move_markers(struct quantile *q)
{
    for (unsigned i = 1; i + 1 < QUANTILE_MARKERS; i++) {
        const float off = 1 + shares[i] * (float)(q->n - 1) - (float)q->at[i];
        const int by = off >= 1 && q->at[i + 1] > q->at[i] + 1    ? 1
                       : off <= -1 && q->at[i] > q->at[i - 1] + 1 ? -1
                                                                  : 0;
        if (by == 0)
            continue;
        q->value[i] = moved(q, i, by);
        q->at[i] += (uint32_t)by;
    }
}

void quantile_add(struct quantile *q, double wide)
{
    const float value = (float)wide;
    unsigned above = 0;
    if (q->n < QUANTILE_MARKERS) {
        insert(q, value);
        return;
    }
    q->n++;
    q->value[0] = value < q->value[0] ? value : q->value[0];
    q->value[QUANTILE_MARKERS - 1] =
        value > q->value[QUANTILE_MARKERS - 1] ? value : q->value[QUANTILE_MARKERS - 1];
    while (above + 1 < QUANTILE_MARKERS && q->value[above] <= value)
        above++;
    for (unsigned i = above > 0 ? above : 1; i < QUANTILE_MARKERS; i++)
        q->at[i]++;
    move_markers(q);
}

double quantile_lower(const struct quantile *q)
{
    if (q->n < QUANTILE_MARKERS)
        return q->n > 0 ? (double)q->value[(q->n - 1) / 4] : 0;
    return (double)q->value[2];
}
