/* SPDX-License-Identifier: BSD-3-Clause */
/* Section 8: functions of the rank, and rows of them. */
#include "steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_MAX (1 << 24) /* of a row; a limit of this reader, see SIGN */

enum { RUNNING_SUM = 32, NEXT_PLAIN = 33, NEXT_RELATIVE = 34, SCALED_SUM = 35, TRANSPOSE = 36 };

static void set_list(const struct input *in, const struct trace *t, struct slot *slot, uint64_t number,
                     bool relative, uint64_t *next)
{
    refuse_if(in, number >= t->n_series, "a slot's list is no series");
    if (relative)
        *slot = (struct slot){.forms = RELATIVE, .relative = &t->series[number]};
    else
        *slot = (struct slot){.forms = PLAIN, .plain = &t->series[number]};
    if (next)
        *next = number + 1;
}

/* Reads one operation that fills some of `n` slots, from number `at` on. Returns how many it
 * filled. */
size_t get_slots(struct input *in, const struct trace *t, struct slot *slots, size_t at, size_t n,
                 const struct row *reference, uint64_t *next)
{
    enum {
        OP_OFFSET,
        OP_PLAIN,
        OP_RELATIVE,
        OP_COPY,
        OP_REPEAT,
        OP_FORMS,
        OP_WHOLE_PLAIN,
        OP_WHOLE_RELATIVE
    };
    struct slot *slot = &slots[at];
    uint64_t v = get_uint(in), a = v >> 4;
    if (!(v & 1)) {
        *slot = (struct slot){.forms = CONSTANT | NATURAL, .constant = unzigzag(v >> 1)};
        return 1;
    }
    switch (v >> 1 & 7) {
    case OP_OFFSET:
        *slot = (struct slot){.forms = OFFSET, .offset = unzigzag(a)};
        return 1;
    case OP_PLAIN:
    case OP_RELATIVE:
        set_list(in, t, slot, a, (v >> 1 & 7) == OP_RELATIVE, next);
        return 1;
    case OP_COPY:
        refuse_if(in, !reference || a >= n - at || reference->n < at || a >= reference->n - at,
                  "slots are copied that are not there");
        memcpy(slot, &reference->slots[at], (a + 1) * sizeof *slot);
        return (size_t)a + 1;
    case OP_REPEAT:
        refuse_if(in, at == 0 || a >= n - at, "slots are repeated that are not there");
        for (uint64_t i = 0; i <= a; i++)
            slot[i] = slots[at - 1];
        return (size_t)a + 1;
    case OP_FORMS:
        if (a == RUNNING_SUM || (a == SCALED_SUM && next)) {
            *slot = (struct slot){.forms = SUM, .distance = get_uint(in), .factor = 1};
            if (a == SCALED_SUM) {
                slot->factor = (uint64_t)get_int(in);
                refuse_if(in, slot->factor <= 1, "a running sum with factor 0 or 1");
            }
            refuse_if(in, !t->final, "a running sum without FINAL");
            refuse_if(in, slot->distance < 2 || slot->distance > at,
                      "a running sum of slots that are not there");
            return 1;
        }
        if (a == TRANSPOSE) {
            refuse_if(in, !t->final, "a transposed list without FINAL");
            *slot = (struct slot){.forms = TRANSPOSED, .distance = get_uint(in)};
            return 1;
        }
        if ((a == NEXT_PLAIN || a == NEXT_RELATIVE) && next) {
            set_list(in, t, slot, *next, a == NEXT_RELATIVE, next);
            return 1;
        }
        refuse_if(in, a == 0 || a > NATURAL, "a slot has no or unknown forms");
        slot->forms = a == NATURAL ? CONSTANT | NATURAL : (unsigned)a;
        refuse_if(in, t->final && slot->forms & (slot->forms - 1) & ~(unsigned)NATURAL,
                  "several forms in a final file");
        if (slot->forms & CONSTANT)
            slot->constant = get_int(in);
        if (slot->forms & OFFSET)
            slot->offset = get_int(in);
        if (slot->forms & PLAIN)
            slot->plain = &t->series[get_below(in, t->n_series)];
        if (slot->forms & RELATIVE)
            slot->relative = &t->series[get_below(in, t->n_series)];
        if (next && (slot->forms == PLAIN || slot->forms == RELATIVE))
            *next = (uint64_t)((slot->plain ? slot->plain : slot->relative) - t->series) + 1;
        return 1;
    default: /* OP_WHOLE_PLAIN, OP_WHOLE_RELATIVE */
        refuse_if(in, !t->final, "a whole list without FINAL");
        refuse_if(in, a >= t->n_series || body_length(&t->series[a]) != t->n_ranks,
                  "a slot's whole list is no series over all ranks");
        if ((v >> 1 & 7) == OP_WHOLE_PLAIN)
            *slot = (struct slot){.forms = WHOLE | PLAIN, .plain = &t->series[a]};
        else
            *slot = (struct slot){.forms = WHOLE | RELATIVE, .relative = &t->series[a]};
        return 1;
    }
}

/* Finds the places of transposed slots in their arrays. */
static void place_transposed(const struct input *in, struct row *row)
{
    for (size_t i = 0; i < row->n; i++) {
        struct slot *slot = &row->slots[i];
        if (!(slot->forms & TRANSPOSED))
            continue;
        bool first = i == 0 || !(slot[-1].forms & TRANSPOSED) || slot[-1].distance != slot->distance;
        slot->place = first ? 0 : slot[-1].place + 1;
        refuse_if(in, slot->distance > i - slot->place, "a transposed list of slots that are not there");
    }
}

void read_signatures(struct trace *t)
{
    struct input *in = section(t, SIGN);
    if (!in)
        return;
    /* by function: number of its last row so far, + 1 */
    size_t *last = zeroed(t->n_functions, sizeof *last);
    t->rows = zeroed(left(in), sizeof *t->rows); /* each row has at least one byte */
    uint64_t next = 0;
    for (struct site *s = t->sites; s < t->sites + t->n_sites; s++) {
        s->first_signature = t->n_rows;
        s->n_signatures = get_count(in, 1);
        size_t *before = &last[s->function - t->functions];
        for (size_t i = 0; i < s->n_signatures; i++) {
            struct row *row = &t->rows[t->n_rows];
            row->function = s->function;
            row->n = get_below(in, SLOTS_MAX);
            row->slots = zeroed(row->n, sizeof *row->slots);
            for (size_t at = 0; at < row->n;)
                at += get_slots(in, t, row->slots, at, row->n, *before ? &t->rows[*before - 1] : NULL, &next);
            place_transposed(in, row);
            *before = ++t->n_rows;
        }
    }
    t->calls = zeroed(t->n_rows, sizeof *t->calls);
    free(last);
    section_end(in);
}

/* Checks that the lists of a slot have a value for each of n ranks. */
void check_lists(const struct input *in, const struct slot *slot, uint64_t n)
{
    if (slot->forms & WHOLE)
        return;
    refuse_if(in,
              (slot->plain && body_length(slot->plain) != n) ||
                  (slot->relative && body_length(slot->relative) != n),
              "a list has another length than its ranks");
}

int64_t slot_at(const struct trace *t, const struct slot *slot, uint64_t rank, uint64_t ordinal)
{
    bool known = false;
    uint64_t value = 0;
    if (slot->forms & WHOLE)
        ordinal = rank - t->first_rank;
    for (unsigned form = CONSTANT; form <= RELATIVE; form <<= 1) {
        if (!(slot->forms & form))
            continue;
        uint64_t v = form == CONSTANT ? (uint64_t)slot->constant
                     : form == OFFSET ? rank + (uint64_t)slot->offset
                     : form == PLAIN  ? (uint64_t)series_at(slot->plain, ordinal)
                                      : rank + (uint64_t)series_at(slot->relative, ordinal);
        if (known && v != value)
            refuse("the forms of a slot do not agree at rank %" PRIu64, rank);
        known = true;
        value = v;
    }
    return (int64_t)value;
}
