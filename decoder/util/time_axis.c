/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_axis.h"

#include "text.h"

#include <assert.h>
#include <inttypes.h>

static const struct unit {
    const char *name;
    uint64_t scale;
} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};

/* Returns the largest unit that is not larger than the time. A time of 0 is shown in s. */
static const struct unit *unit_of(uint64_t time)
{
    const struct unit *u = units;
    while (u->scale > time && time > 0 && u->scale > 1)
        u++;
    return u;
}

void time_put(struct bytes *out, uint64_t nanoseconds)
{
    const struct unit *u = unit_of(nanoseconds);
    const uint64_t whole = nanoseconds / u->scale;
    const int digits = u->scale == 1 || nanoseconds == 0 ? 0
                       : whole < 10                      ? 3
                       : whole < 100                     ? 2
                       : whole < 1000                    ? 1
                                                         : 0;
    text_printf(out, "%.*f %s", digits, (double)nanoseconds / (double)u->scale, u->name);
}

struct time_axis time_axis_of(uint64_t from, uint64_t to, unsigned most)
{
    assert(from <= to && most > 0);
    static const unsigned steps[] = {2, 5, 10};
    const struct unit *u = unit_of(to);
    struct time_axis a = {.step = 1, .scale = u->scale, .unit = u->name};
    uint64_t power = 1;
    while ((to - from) / a.step > most && power <= UINT64_MAX / 10) {
        for (unsigned i = 0; i < 3 && (to - from) / a.step > most; i++)
            a.step = power * steps[i];
        power *= 10;
    }
    for (uint64_t step = a.step; step % a.scale != 0; step *= 10)
        a.digits++;
    return a;
}

uint64_t time_axis_first(const struct time_axis *a, uint64_t from)
{
    const uint64_t beyond = from % a->step > 0 ? a->step - from % a->step : 0;
    return beyond > UINT64_MAX - from ? UINT64_MAX : from + beyond;
}

bool time_axis_next(const struct time_axis *a, uint64_t to, uint64_t *mark)
{
    assert(*mark % a->step == 0);
    if (*mark > to || to - *mark < a->step)
        return false;
    *mark += a->step;
    return true;
}

void time_axis_put(struct bytes *out, const struct time_axis *a, uint64_t mark)
{
    assert(mark % a->step == 0);
    text_printf(out, "%.*f %s", (int)a->digits, (double)mark / (double)a->scale, a->unit);
}
