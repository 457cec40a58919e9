/* SPDX-License-Identifier: BSD-3-Clause */
#include "codec_row.h"

#include "src/core/trace/rankfn.h"

/* A code is a varint v:
 *
 *     v even    a natural constant, zigzag(c) = v / 2
 *     v odd     operation v / 2 mod 8, argument v / 16
 */
enum {
    OP_OFFSET,   /* argument: zigzag of the offset */
    OP_PLAIN,    /* argument: number of a series */
    OP_RELATIVE, /* argument: number of a series */
    OP_COPY,     /* the next argument + 1 slots equal those of the reference row */
    OP_REPEAT,   /* the next argument + 1 slots equal the slot before */
    /* Argument: forms; then constant and offset (zigzag varints), plain, relative, as far as they
     * are set; or SLOT_SUM with the distance of a running sum; or one of the four below. */
    OP_FORMS,
    OP_WHOLE_PLAIN,    /* argument: number of a series over all ranks */
    OP_WHOLE_RELATIVE, /* the same, relative */
};

/* Further arguments of OP_FORMS: the series after the one named last; a running sum with distance
 * and factor; the transpose of an array, with the distance to it. */
enum { NEXT_PLAIN = 33, NEXT_RELATIVE, SCALED_SUM, TRANSPOSED };

#define OP(op)    ((uint64_t)(op) << 1 | 1)
#define OP_ARG    4 /* bits before the argument */
#define ALL_FORMS (RANKFN_CONSTANT | RANKFN_OFFSET | RANKFN_PLAIN | RANKFN_RELATIVE)

static uint64_t zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

bool slot_code_equal(const struct slot_code *a, const struct slot_code *b)
{
    return a->forms == b->forms && a->constant == b->constant && a->offset == b->offset &&
           a->plain == b->plain && a->relative == b->relative;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_sum(struct bytes *out, const struct slot_code *s)
{
    const bool scaled = s->constant != 1;
    bytes_put_uint(out, (uint64_t)(scaled ? SCALED_SUM : SLOT_SUM) << OP_ARG | OP(OP_FORMS));
    bytes_put_uint(out, s->plain);
    if (scaled)
        bytes_put_int(out, s->constant);
}

static void put_transposed(struct bytes *out, const struct slot_code *s)
{
    bytes_put_uint(out, (uint64_t)TRANSPOSED << OP_ARG | OP(OP_FORMS));
    bytes_put_uint(out, s->plain);
}

static void put_forms(struct bytes *out, const struct slot_code *s)
{
    bytes_put_uint(out, (uint64_t)s->forms << OP_ARG | OP(OP_FORMS));
    if (s->forms & (RANKFN_CONSTANT | SLOT_NATURAL))
        bytes_put_int(out, s->constant);
    if (s->forms & RANKFN_OFFSET)
        bytes_put_int(out, s->offset);
    if (s->forms & RANKFN_PLAIN)
        bytes_put_uint(out, s->plain);
    if (s->forms & RANKFN_RELATIVE)
        bytes_put_uint(out, s->relative);
}

void codec_put_slot(struct bytes *out, const struct slot_code *s)
{
    if (s->forms == SLOT_NATURAL && zigzag(s->constant) <= UINT64_MAX >> 1)
        bytes_put_uint(out, zigzag(s->constant) << 1);
    else if (s->forms == RANKFN_OFFSET && zigzag(s->offset) <= UINT64_MAX >> OP_ARG)
        bytes_put_uint(out, zigzag(s->offset) << OP_ARG | OP(OP_OFFSET));
    else if (s->forms == RANKFN_PLAIN)
        bytes_put_uint(out, (uint64_t)s->plain << OP_ARG | OP(OP_PLAIN));
    else if (s->forms == RANKFN_RELATIVE)
        bytes_put_uint(out, (uint64_t)s->relative << OP_ARG | OP(OP_RELATIVE));
    else if (s->forms == SLOT_GLOBAL_PLAIN)
        bytes_put_uint(out, (uint64_t)s->plain << OP_ARG | OP(OP_WHOLE_PLAIN));
    else if (s->forms == SLOT_GLOBAL_RELATIVE)
        bytes_put_uint(out, (uint64_t)s->relative << OP_ARG | OP(OP_WHOLE_RELATIVE));
    else if (s->forms == SLOT_SUM)
        put_sum(out, s);
    else if (s->forms == SLOT_TRANSPOSED)
        put_transposed(out, s);
    else
        put_forms(out, s);
}

/* How many slots from i on equal those of the reference row. */
static size_t copy_run(const struct slot_code *slots, size_t n, size_t i, const struct slot_code *ref,
                       size_t n_ref)
{
    size_t end = i;
    while (end < n && end < n_ref && slot_code_equal(&slots[end], &ref[end]))
        end++;
    return end - i;
}

/* How many slots from i on equal the slot before i. */
static size_t repeat_run(const struct slot_code *slots, size_t n, size_t i)
{
    size_t end = i;
    while (i > 0 && end < n && slot_code_equal(&slots[end], &slots[i - 1]))
        end++;
    return end - i;
}

/* The number of the series, if the slot has an operation for it alone. */
static bool names_series(const struct slot_code *s, uint32_t *number)
{
    *number = s->forms == RANKFN_PLAIN ? s->plain : s->relative;
    return s->forms == RANKFN_PLAIN || s->forms == RANKFN_RELATIVE;
}

static void put_slot_in_row(struct bytes *out, const struct slot_code *s, uint32_t *next)
{
    uint32_t number;
    if (!names_series(s, &number)) {
        codec_put_slot(out, s);
        return;
    }
    if (number == *next)
        bytes_put_uint(out, (uint64_t)(s->forms == RANKFN_PLAIN ? NEXT_PLAIN : NEXT_RELATIVE) << OP_ARG |
                                OP(OP_FORMS));
    else
        codec_put_slot(out, s);
    *next = number + 1;
}

void codec_put_row(struct bytes *out, const struct slot_code *slots, size_t n, const struct slot_code *ref,
                   size_t n_ref, uint32_t *next)
{
    for (size_t i = 0; i < n;) {
        size_t copy = copy_run(slots, n, i, ref, n_ref), repeat = repeat_run(slots, n, i);
        if (copy >= 2 && copy >= repeat) {
            bytes_put_uint(out, (uint64_t)(copy - 1) << OP_ARG | OP(OP_COPY));
            i += copy;
        } else if (repeat >= 2) {
            bytes_put_uint(out, (uint64_t)(repeat - 1) << OP_ARG | OP(OP_REPEAT));
            i += repeat;
        } else {
            put_slot_in_row(out, &slots[i++], next);
        }
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool get_series(uint64_t number, uint64_t n_series, uint32_t *series)
{
    *series = (uint32_t)number;
    return number < n_series;
}

static bool get_sum(struct bytes_reader *in, bool scaled, struct slot_code *s)
{
    const uint64_t distance = bytes_get_uint(in);
    const int64_t factor = scaled ? bytes_get_int(in) : 1;
    *s = (struct slot_code){.forms = SLOT_SUM, .plain = (uint32_t)distance, .constant = factor};
    return !in->failed && distance >= 2 && distance <= UINT32_MAX && factor != 0 && (factor != 1 || !scaled);
}

/* The decoder of shapes checks the distance, since that depends on the ranks. */
static bool get_transposed(struct bytes_reader *in, struct slot_code *s)
{
    const uint64_t distance = bytes_get_uint(in);
    *s = (struct slot_code){.forms = SLOT_TRANSPOSED, .plain = (uint32_t)distance};
    return !in->failed && distance <= UINT32_MAX;
}

static bool get_forms(struct bytes_reader *in, uint64_t forms, uint64_t n_series, struct slot_code *s)
{
    if (forms == SLOT_SUM)
        return get_sum(in, false, s);
    if (forms == TRANSPOSED)
        return get_transposed(in, s);
    if (forms != SLOT_NATURAL && (forms == 0 || forms & ~(uint64_t)ALL_FORMS))
        return false;
    *s = (struct slot_code){.forms = (uint32_t)forms};
    if (forms & (RANKFN_CONSTANT | SLOT_NATURAL))
        s->constant = bytes_get_int(in);
    if (forms & RANKFN_OFFSET)
        s->offset = bytes_get_int(in);
    if (forms & RANKFN_PLAIN && !get_series(bytes_get_uint(in), n_series, &s->plain))
        return false;
    if (forms & RANKFN_RELATIVE && !get_series(bytes_get_uint(in), n_series, &s->relative))
        return false;
    return !in->failed;
}

/* Decode the slot that code v begins; false for copies and repetitions. */
static bool decode_slot(struct bytes_reader *in, uint64_t v, uint64_t n_series, struct slot_code *s)
{
    uint64_t argument = v >> OP_ARG;
    if (in->failed)
        return false;
    if (!(v & 1)) {
        *s = (struct slot_code){.forms = SLOT_NATURAL, .constant = unzigzag(v >> 1)};
        return true;
    }
    switch (v >> 1 & 7) {
    case OP_OFFSET:
        *s = (struct slot_code){.forms = RANKFN_OFFSET, .offset = unzigzag(argument)};
        return true;
    case OP_PLAIN:
        *s = (struct slot_code){.forms = RANKFN_PLAIN};
        return get_series(argument, n_series, &s->plain);
    case OP_RELATIVE:
        *s = (struct slot_code){.forms = RANKFN_RELATIVE};
        return get_series(argument, n_series, &s->relative);
    case OP_FORMS:
        return get_forms(in, argument, n_series, s);
    case OP_WHOLE_PLAIN:
        *s = (struct slot_code){.forms = SLOT_GLOBAL_PLAIN};
        return get_series(argument, n_series, &s->plain);
    case OP_WHOLE_RELATIVE:
        *s = (struct slot_code){.forms = SLOT_GLOBAL_RELATIVE};
        return get_series(argument, n_series, &s->relative);
    default:
        return false;
    }
}

bool codec_get_slot(struct bytes_reader *in, uint64_t n_series, struct slot_code *slot)
{
    uint64_t v = bytes_get_uint(in);
    return decode_slot(in, v, n_series, slot) && slot->forms != SLOT_SUM &&
           slot->forms != SLOT_TRANSPOSED; /* these exist only in rows */
}

static bool get_slot_in_row(struct bytes_reader *in, uint64_t v, uint64_t n_series, uint32_t *next,
                            struct slot_code *s)
{
    if (v == ((uint64_t)SCALED_SUM << OP_ARG | OP(OP_FORMS)))
        return get_sum(in, true, s);
    if (v == ((uint64_t)NEXT_PLAIN << OP_ARG | OP(OP_FORMS)))
        v = (uint64_t)*next << OP_ARG | OP(OP_PLAIN);
    else if (v == ((uint64_t)NEXT_RELATIVE << OP_ARG | OP(OP_FORMS)))
        v = (uint64_t)*next << OP_ARG | OP(OP_RELATIVE);
    uint32_t number;
    const bool good = decode_slot(in, v, n_series, s);
    if (good && names_series(s, &number))
        *next = number + 1;
    return good;
}

enum refrain_status codec_get_row(struct bytes_reader *in, uint64_t n_series, size_t n, size_t ref,
                                  size_t n_ref, uint32_t *next, slot_codes *slots)
{
    for (size_t i = 0; i < n;) {
        uint64_t v = bytes_get_uint(in), run = (v >> OP_ARG) + 1;
        bool odd = v & 1, copy = odd && (v >> 1 & 7) == OP_COPY, repeat = odd && (v >> 1 & 7) == OP_REPEAT;
        if (!copy && !repeat)
            run = 1;
        if (in->failed || run > n - i || (copy && (i >= n_ref || run > n_ref - i)) || (repeat && i == 0))
            return REFRAIN_ERR_FORMAT;
        if (!array_reserve(slots, run))
            return REFRAIN_ERR_MEMORY;
        struct slot_code *to = slots->items + slots->n;
        if (!copy && !repeat && !get_slot_in_row(in, v, n_series, next, to))
            return REFRAIN_ERR_FORMAT;
        if (!copy && !repeat && to->forms == SLOT_SUM && to->plain > i)
            return REFRAIN_ERR_FORMAT;
        for (uint64_t k = 0; k < run && copy; k++)
            to[k] = slots->items[ref + i + k];
        for (uint64_t k = 0; k < run && repeat; k++)
            to[k] = to[-1];
        slots->n += run;
        i += run;
    }
    return REFRAIN_OK;
}
