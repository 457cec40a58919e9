/* SPDX-License-Identifier: BSD-3-Clause */
#include "construct_path.h"

#include "decoder/util/text.h"
#include "src/core/base/log.h"

#include <inttypes.h>

/* Parses a number from 1 at *at and moves *at after it. A number too large for any system stays
 * too large. */
static bool parse_number(const char **at, uint64_t *number)
{
    const char *first = *at;
    uint64_t v = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        v = v < UINT64_MAX / 16 ? v * 10 + (uint64_t)(**at - '0') : UINT64_MAX;
    *number = v;
    return *at > first && v > 0;
}

static enum refrain_status is_malformed(const char *text)
{
    log_error("'%s' is not the path of a construct: wanted numbers from 1 with dots between them, such as "
              "3.1.2 or 3.4-7",
              text);
    return REFRAIN_ERR_USAGE;
}

/* Returns the body in which a path continues; NULL if there is none, and then the cause has been
 * logged. */
static const struct system *body_of(const char *text, const char *at, const struct construct *c)
{
    if (construct_is_loop(c))
        return c->body;
    log_error("there is no construct %s: %.*s is not a loop", text, (int)(at - 1 - text), text);
    return NULL;
}

static enum refrain_status is_behind(const char *text, const char *begin, const struct system *s)
{
    if (begin == text)
        log_error("there is no construct %s: the model has %zu at the top level", text, s->n);
    else
        log_error("there is no construct %s: the body of %.*s has %zu", text, (int)(begin - 1 - text), text,
                  s->n);
    return REFRAIN_ERR_USAGE;
}

/* Parses "4" or, in the last place, "4-7"; moves *at after it. */
static bool parse_numbers(const char **at, uint64_t *number, uint64_t *last)
{
    if (!parse_number(at, number))
        return false;
    *last = *number;
    if (**at != '-')
        return **at == '.' || !**at;
    ++*at;
    return parse_number(at, last) && !**at;
}

enum refrain_status construct_range_find(const struct system *top, const char *text,
                                         struct construct_range *out)
{
    struct construct_range range = {.body = top};
    uint64_t number, last;
    for (const char *at = text;; at++) {
        const char *begin = at;
        if (!parse_numbers(&at, &number, &last))
            return is_malformed(text);
        if (last < number) {
            log_error("'%s' is not a range of constructs: its last number is less than the first", text);
            return REFRAIN_ERR_USAGE;
        }
        if (last > range.body->n)
            return is_behind(text, begin, range.body);
        construct_path_set(&range.first, range.body, (size_t)number - 1);
        if (!*at)
            break;
        if (!(range.body = body_of(text, at + 1, construct_path_last(&range.first))))
            return REFRAIN_ERR_USAGE;
    }
    range.n = (size_t)(last - number + 1);
    *out = range;
    return REFRAIN_OK;
}

struct construct_path construct_range_at(const struct construct_range *range, size_t i)
{
    struct construct_path path = range->first;
    construct_path_set(&path, range->body, (size_t)range->first.levels[range->first.n - 1].number - 1 + i);
    return path;
}

bool construct_range_has(const struct construct_range *range, uint32_t process)
{
    const size_t first = (size_t)range->first.levels[range->first.n - 1].number - 1;
    bool any = false;
    for (size_t i = 0; i < range->n && !any; i++)
        any = construct_has(range->body->items[first + i], process);
    return any;
}

void construct_path_put(const struct construct_path *path, struct bytes *out)
{
    for (uint32_t i = 0; i < path->n; i++) {
        if (i > 0)
            text_putc(out, '.');
        text_uint(out, path->levels[i].number);
    }
}

void construct_path_set(struct construct_path *path, const struct system *s, size_t at)
{
    const struct construct *c = s->items[at];
    path->n = c->depth + 1;
    path->levels[c->depth] = (struct construct_level){at + 1, c};
}
