/* SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *trace_name;

void leave(int status, const char *name, const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "%s: ", name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

void *zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory)
        refuse("out of memory");
    return memory;
}

void refuse_if(const struct input *in, bool wrong, const char *what)
{
    if (wrong)
        refuse("%s, byte %zu: %s", in->name, (size_t)(in->at - in->start), what);
}

uint64_t left(const struct input *in)
{
    return (uint64_t)(in->end - in->at);
}

const uint8_t *get(struct input *in, uint64_t n)
{
    refuse_if(in, left(in) < n, "it ends too early");
    in->at += n;
    return in->at - n;
}

uint64_t get_fixed(struct input *in, unsigned n)
{
    const uint8_t *b = get(in, n);
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)b[i] << 8 * i;
    return v;
}

uint64_t get_uint(struct input *in)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t b = *get(in, 1);
        refuse_if(in, shift == 63 && b > 1, "a number of more than 64 bits");
        v |= (b & 127) << shift;
        if (b < 128) {
            refuse_if(in, b == 0 && shift > 0, "a number with a superfluous byte");
            return v;
        }
    }
}

int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1 ^ -(v & 1));
}

int64_t get_int(struct input *in)
{
    return unzigzag(get_uint(in));
}

/* Checks the number of entries that follow, each of at least `least` bytes. */
size_t check_count(const struct input *in, uint64_t n, uint64_t least)
{
    refuse_if(in, n > left(in) / least, "a count is larger than what remains");
    return (size_t)n;
}

size_t get_count(struct input *in, uint64_t least)
{
    return check_count(in, get_uint(in), least);
}

/* Reads the number of an entry of a table with n entries. */
size_t get_below(struct input *in, uint64_t n)
{
    uint64_t v = get_uint(in);
    refuse_if(in, v >= n, "a table has no such entry");
    return (size_t)v;
}

char *get_string(struct input *in)
{
    size_t n = get_count(in, 1);
    char *s = zeroed(n + 1, 1);
    memcpy(s, get(in, n), n);
    refuse_if(in, strlen(s) != n, "a string with a 0 in it");
    return s;
}

struct input read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t n = 0, room = 1 << 16;
    uint8_t *content = NULL;
    if (!file)
        leave(2, name, "%s", strerror(errno));
    while ((content = realloc(content, room)) && (n += fread(content + n, 1, room - n, file)) == room)
        room *= 2;
    if (!content || ferror(file))
        leave(2, name, "cannot read it");
    fclose(file);
    return (struct input){name, content, content, content + n};
}
