/* SPDX-License-Identifier: BSD-3-Clause */
/* Values, addresses, arrays and strings in the rows of calls. */
#include <assert.h>
#include <string.h>

#include "call_impl.h"
#include "src/core/base/placement.h"
#include "src/memory/address_offset.h"
#include "src/memory/memory.h"
#include "src/record/predefined.h"

HOT bool call_put_count(struct call *call, const void *array, int64_t n, size_t each)
{
    assert(each > 0);
    if (!array && n >= 0)
        n = ARRAY_NULL;
    call_put(call, n);
    return n > 0 && call_has_room(call, (size_t)n * each);
}

void call_real(struct call *call, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    call_put(call, bits);
}

/* In Open MPI, an error code is its own class, and a query with an invalid code would end the
 * program. Other libraries are asked while MPI is up. */
int call_error_class(int code)
{
    int class = code;
#ifndef OPEN_MPI
    if (code == MPI_SUCCESS || !atomic_load(&tracer.up) || PMPI_Error_class(code, &class) != MPI_SUCCESS ||
        class > MPI_ERR_LASTCODE)
        return code;
#endif
    return class;
}

static inline void put_symbol(struct call *call, const struct memory_symbol *symbol)
{
    for (uint32_t i = 0; i < symbol->n; i++)
        call_put(call, symbol->slots[i]);
}

/* Find a constant of the set, or else what the address points to in memory. No slots if the tracer
 * has failed. */
static struct memory_symbol find_symbol(struct call *call, enum predefined_set set, uint64_t address)
{
    struct memory_symbol symbol = {2, {ADDRESS_CONSTANT}};
    if (!predefined_address(set, address, &symbol.slots[1]) &&
        memory_find((uintptr_t)address, call->stack, call_caller(call) + ++call->addresses, &symbol)) {
        call_fail(call);
        symbol.n = 0;
    }
    return symbol;
}

static void put_address(struct call *call, enum predefined_set set, uint64_t address)
{
    const struct memory_symbol symbol = find_symbol(call, set, address);
    put_symbol(call, &symbol);
}

/* Only addresses that memory_find resolved are cached: in other sets, the same address may be a
 * constant. */
static __attribute__((noinline)) void search_address(struct call *call, uintptr_t address)
{
    const uint64_t changes = atomic_load(&memory_changes);
    const struct memory_symbol found = find_symbol(call, PREDEFINED_ADDRESS, address);
    if (found.n && found.slots[0] != ADDRESS_CONSTANT)
        memory_remember(call->thread->memory, address, changes, &found);
    put_symbol(call, &found);
}

/* Constants are never on the stack, so the stack is tested first. */
HOT void call_address(struct call *call, const void *address)
{
    const uintptr_t a = (uintptr_t)address;
    const struct memory_symbol *known;
    int64_t offset;
    if (address_offset_on_stack(a, call->stack, &offset)) {
        call->addresses++;
        call_put(call, ADDRESS_STACK);
        call_put(call, offset);
    } else if ((known = memory_recall(call->thread->memory, a))) {
        call->addresses++;
        put_symbol(call, known);
    } else {
        search_address(call, a);
    }
}

void call_callback(struct call *call, uintptr_t function)
{
    put_address(call, PREDEFINED_FUNCTION, (uint64_t)function);
}

void call_value(struct call *call, const void *value)
{
    put_address(call, PREDEFINED_VALUE, (uint64_t)(intptr_t)value);
}

static const void *stored(const void *place)
{
    const void *pointer;
    memcpy(&pointer, place, sizeof pointer);
    return pointer;
}

void call_stored_address(struct call *call, const void *place)
{
    call_address(call, stored(place));
}

void call_stored_value(struct call *call, const void *place)
{
    call_value(call, stored(place));
}

void call_nullable_int(struct call *call, const int *value)
{
    call_put(call, value ? 1 : ARRAY_NULL);
    if (value)
        call_put(call, *value);
}

void call_ints(struct call *call, const void *array, size_t size, int64_t n)
{
    if (!call_put_count(call, array, n, 1))
        return;
    int64_t *out = call->next;
    if (size == sizeof(int32_t)) {
        const int32_t *in = array;
        for (int64_t i = 0; i < n; i++)
            out[i] = in[i];
    } else {
        memcpy(out, array, (size_t)n * sizeof *out);
    }
    call->next += n;
}

void call_string(struct call *call, const char *s, int64_t max)
{
    if (max < 0 || !s) {
        call_put(call, max < 0 ? max : ARRAY_NULL);
        return;
    }
    const size_t n = strnlen(s, (size_t)max);
    const size_t n_slots = (n + 7) / 8;
    if (!call_has_room(call, n_slots))
        return;
    call_put(call, (int64_t)n);
    for (size_t i = 0; i < n_slots; i++) {
        uint64_t slot = 0;
        for (size_t b = 0; b < 8 && 8 * i + b < n; b++)
            slot |= (uint64_t)(unsigned char)s[8 * i + b] << 8 * b;
        call_put(call, (int64_t)slot);
    }
}

void call_strings(struct call *call, char *const *strings, int64_t n)
{
    if (n == CALL_TO_NULL && strings)
        for (n = 0; strings[n]; n++)
            ;
    else if (n == CALL_TO_NULL)
        n = ARRAY_NULL;
    if (!call_put_count(call, strings, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_string(call, strings[i], CALL_STRING_MAX);
}

void call_string_lists(struct call *call, char **const *lists, int64_t n)
{
    if (!call_put_count(call, lists, n, 1))
        return;
    for (int64_t i = 0; i < n; i++)
        call_strings(call, lists[i], CALL_TO_NULL);
}

int64_t call_sum(const int *lengths, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; lengths && i < n; i++)
        sum += call_length(lengths[i]);
    return sum;
}

int64_t call_array_length(const char *kind, const void *array, int64_t n)
{
    int64_t sentinel;
    return predefined_sentinel(kind, array, &sentinel) ? ARRAY_CODE - sentinel : n;
}
