/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_times.h"

#include "src/core/base/log.h"

#include <stdlib.h>

/* ---- bins ------------------------------------------------------------------------------------ */

static unsigned digits_of(uint64_t value)
{
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

/* The exponent, and the two digits after the first one. */
static unsigned bin_of(uint64_t duration)
{
    const unsigned exponent = duration < 2 ? 0 : digits_of(duration) - 1;
    const uint64_t rest = duration - (duration < 2 ? duration : UINT64_C(1) << exponent);
    const unsigned part = (unsigned)(exponent < 2 ? rest << (2 - exponent) : rest >> (exponent - 2));
    const unsigned bin = exponent * DURATION_PARTS + part;
    return bin < DURATION_BINS ? bin : DURATION_BINS - 1;
}

/* ns: where it begins. */
static uint64_t begin_of(unsigned bin)
{
    const unsigned exponent = bin / DURATION_PARTS, part = bin % DURATION_PARTS;
    const uint64_t base = UINT64_C(1) << exponent;
    return base + (exponent < 2 ? base * part / DURATION_PARTS : (base >> 2) * part);
}

void durations_add(struct durations *d, uint64_t duration)
{
    d->least = d->n == 0 || duration < d->least ? duration : d->least;
    d->most = duration > d->most ? duration : d->most;
    d->n++;
    d->sum += duration;
    d->bins[bin_of(duration)]++;
}

uint64_t durations_median(const struct durations *d)
{
    uint64_t before = 0;
    unsigned bin = 0;
    if (d->n == 0)
        return 0;
    while (bin + 1 < DURATION_BINS && before + d->bins[bin] <= (d->n - 1) / 2)
        before += d->bins[bin++];
    const uint64_t middle = begin_of(bin) + (begin_of(bin + 1) - begin_of(bin)) / 2;
    return middle < d->least ? d->least : middle > d->most ? d->most : middle;
}

uint64_t durations_octave(const struct durations *d, unsigned exponent)
{
    uint64_t n = 0;
    for (unsigned bin = exponent * DURATION_PARTS;
         bin < (exponent + 1) * DURATION_PARTS && bin < DURATION_BINS; bin++)
        n += d->bins[bin];
    return n;
}

/* ---- all ------------------------------------------------------------------------------------- */

enum refrain_status call_times_start(struct call_times *c, size_t n_sites)
{
    call_times_free(c);
    c->sites = calloc(n_sites + 1, sizeof *c->sites);
    c->n_sites = n_sites;
    if (c->sites)
        return REFRAIN_OK;
    log_error("out of memory: %zu call sites", n_sites);
    return REFRAIN_ERR_MEMORY;
}

void call_times_free(struct call_times *c)
{
    for (size_t i = 0; c->sites && i <= c->n_sites; i++)
        free(c->sites[i]);
    free(c->sites);
    for (unsigned i = 0; i < MESSAGE_SIZES; i++)
        free(c->sizes[i]);
    *c = (struct call_times){0};
}

enum refrain_status call_times_add(struct call_times *c, size_t site, uint64_t duration)
{
    struct durations **d = &c->sites[site];
    if (!*d && !(*d = calloc(1, sizeof **d))) {
        log_error("out of memory: durations of calls");
        return REFRAIN_ERR_MEMORY;
    }
    durations_add(*d, duration);
    return REFRAIN_OK;
}

enum refrain_status call_times_add_message(struct call_times *c, const struct matching_message *m)
{
    struct message_times **t = &c->sizes[digits_of(m->bytes)];
    const uint64_t sent = m->send.timestamp.enter, posted = m->receive.timestamp.enter,
                   both = posted > sent ? posted : sent, arrived = m->completed.timestamp.leave;
    if (!*t && !(*t = calloc(1, sizeof **t))) {
        log_error("out of memory: times of messages");
        return REFRAIN_ERR_MEMORY;
    }
    (*t)->messages++;
    (*t)->bytes += m->bytes;
    if (arrived < both)
        return REFRAIN_OK;
    durations_add(&(*t)->time, arrived - sent);
    durations_add(&(*t)->both, arrived - both);
    return REFRAIN_OK;
}
