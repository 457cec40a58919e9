/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes a call: compares it with its record (section 14) or prints it. */
#include "steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static uint64_t site_hash(const struct site *site)
{
    uint64_t hash = XXH3_64bits_withSeed(site->function->name, strlen(site->function->name), 0);
    for (size_t i = 0; i < site->n_frames; i++) {
        const struct frame *frame = &site->frames[i];
        uint8_t offset[8];
        for (unsigned b = 0; b < 8; b++)
            offset[b] = (uint8_t)((uint64_t)frame->offset >> 8 * b);
        hash = XXH3_64bits_withSeed(frame->module, strlen(frame->module), hash);
        hash = XXH3_64bits_withSeed(offset, sizeof offset, hash);
    }
    return hash;
}

struct input open_record(const char *directory, uint64_t rank, unsigned kind, uint64_t thread)
{
    size_t room = strlen(directory) + 80;
    char *name = zeroed(room, 1);
    size_t n = (size_t)snprintf(name, room, "%s/rank.%" PRIu64, directory, rank);
    if (kind)
        snprintf(name + n, room - n, ".lane.%" PRIu64 ".raw", thread);
    else
        snprintf(name + n, room - n, ".definitions.raw");
    struct input in = read_file(name);
    if (left(&in) < 8 || memcmp(get(&in, 4), "RFRW", 4) != 0 || get_fixed(&in, 4) != 2)
        leave(2, name, "this is no record, or one of another version");
    return in;
}

/* Nanoseconds from one to the other. */
static uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

/* Is a within a factor of base / 10^6 of b? */
static bool within_factor(uint64_t a, uint64_t b, uint64_t base)
{
    const unsigned __int128 one = 1000000;
    return a * one <= (unsigned __int128)b * base && b * one <= (unsigned __int128)a * base;
}

/* Does the condition of section 17 hold for an interval? */
static bool interval_holds(const struct stamps *s, const struct site *site, uint64_t t, uint64_t wanted)
{
    const uint64_t floor = stamps_floor(s);
    return wanted < floor ? distance(t, wanted) < floor
                          : within_factor(t, wanted, stamps_base(s, site->function));
}

/* Do the intervals agree with those of the record? */
static bool times_hold(struct output *o, const struct site *site, uint64_t entry, uint64_t leaving,
                       uint64_t true_entry, uint64_t true_leaving)
{
    const struct stamps *s = o->stamps;
    const bool nested = true_entry < o->end;
    const uint64_t unit = stamps_unit(s), within = unit > 0 ? unit : 2 * stamps_bound(s),
                   gap = nested ? o->end - true_entry : true_entry - o->end,
                   duration = true_leaving - (nested ? o->end : true_entry),
                   told_gap = nested ? o->told - entry : entry - o->told,
                   told_duration = leaving - (nested ? o->told : entry);
    if (2 * distance(entry, true_entry) > within || 2 * distance(leaving, true_leaving) > within)
        return false;
    return unit > 0 ||
           (interval_holds(s, site, told_gap, gap) && interval_holds(s, site, told_duration, duration));
}

static void compare_times(struct output *o, const struct site *site, uint64_t entry, uint64_t leaving)
{
    const uint64_t true_entry = o->end + (uint64_t)get_int(&o->record),
                   true_leaving = true_entry + get_uint(&o->record);
    if (o->calls == 0) {
        o->end = true_entry;
        o->told = entry;
    }
    if (o->timed && !times_hold(o, site, entry, leaving, true_entry, true_leaving))
        leave(1, o->record.name,
              "call %" PRIu64 ", %s: from %" PRIu64 " to %" PRIu64 ", in the trace %" PRIu64 " to %" PRIu64,
              o->calls, site->function->name, true_entry, true_leaving, entry, leaving);
    o->end = true_leaving;
    o->told = leaving;
}

void compare_call(struct output *o, const struct site *site, const int64_t *slots, size_t n, uint64_t entry,
                  uint64_t leaving)
{
    struct input *in = &o->record;
    const char *name = in->name, *function = site->function->name;
    if (left(in) == 0)
        leave(1, name, "it ends at call %" PRIu64 ", the trace has %s", o->calls, function);
    uint64_t hash = get_fixed(in, 8), n_wanted = get_uint(in);
    if (hash != site_hash(site))
        leave(1, name, "call %" PRIu64 " is another one than %s of the trace, or from another site", o->calls,
              function);
    if (n_wanted != n)
        leave(1, name, "call %" PRIu64 ", %s: %" PRIu64 " slots, in the trace %zu", o->calls, function,
              n_wanted, n);
    for (size_t i = 0; i < n; i++) {
        int64_t wanted = get_int(in);
        if (wanted != slots[i])
            leave(1, name, "call %" PRIu64 ", %s: slot %zu is %" PRId64 ", in the trace %" PRId64, o->calls,
                  function, i, wanted, slots[i]);
    }
    if (o->shape->kind)
        compare_times(o, site, entry, leaving);
}

void print_call(const struct output *o, const struct site *site, const int64_t *slots, size_t n)
{
    printf("%" PRIu64, o->rank);
    if (o->shape->kind)
        printf(" %" PRIu64, o->shape->number);
    else
        fputs(" @", stdout);
    printf(" %" PRIu64 " %s", o->calls, site->function->name);
    for (size_t i = 0; i < n; i++)
        printf(" %" PRId64, slots[i]);
    putchar('\n');
}

static void print_seconds(uint64_t ns)
{
    printf(" %" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

void print_times(const struct output *o, const struct site *site, uint64_t entry, uint64_t leaving)
{
    printf("%" PRIu64, o->rank);
    if (o->shape->number > 0)
        printf(".%" PRIu64, o->shape->number);
    printf(" %" PRIu64, o->calls);
    print_seconds(entry - o->origin);
    print_seconds(leaving - entry);
    printf(" %s\n", site->function->name);
}
