/* What becomes of a call: it is compared with its record (section 14), or printed. */
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

void compare_call(struct output *o, const struct site *site, const int64_t *slots, size_t n)
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
    if (o->shape->kind) { /* its times, which are compared elsewhere */
        get_int(in);
        get_uint(in);
    }
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
