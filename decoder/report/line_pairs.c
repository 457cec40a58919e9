/* SPDX-License-Identifier: BSD-3-Clause */
#include "line_pairs.h"

#include "src/core/base/log.h"

#include <stdlib.h>
#include <string.h>

/* Pairs of lines that are looked at: more take too much memory. */
#define MOST ((size_t)16000000)

struct text_lines {
    struct line *items;
    size_t n, cap;
};

static bool split(struct text_lines *l, const struct bytes *text)
{
    for (size_t at = 0; at < text->n;) {
        const char *begin = (const char *)text->data + at;
        const char *end = memchr(begin, '\n', text->n - at);
        const struct line line = {begin, end ? (size_t)(end - begin) : text->n - at};
        if (!array_push(l, line))
            return false;
        at += line.n + 1;
    }
    return true;
}

static bool equal(const struct line *a, const struct line *b)
{
    return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static bool add(struct line_pairs *p, const struct line *a, const struct line *b, bool same)
{
    const struct line none = {0};
    const struct line_pair pair = {a ? *a : none, b ? *b : none, same, false};
    p->differing += !same;
    return array_push(&p->items, pair);
}

/* n lines of the one and m of the other, which are different. */
static bool add_block(struct line_pairs *p, const struct line *a, size_t n, const struct line *b, size_t m)
{
    for (size_t i = 0; i < n || i < m; i++) {
        if (!add(p, i < n ? &a[i] : NULL, i < m ? &b[i] : NULL, false))
            return false;
    }
    return true;
}

/* common[i][j] is how many lines are the same in what follows line i of the one and line j of the other. */
static bool align(struct line_pairs *p, const struct line *a, size_t n, const struct line *b, size_t m)
{
    uint32_t *common = calloc((n + 1) * (m + 1), sizeof *common);
    bool ok = common;
    for (size_t i = n; i-- > 0 && ok;) {
        for (size_t j = m; j-- > 0;) {
            const uint32_t down = common[(i + 1) * (m + 1) + j], right = common[i * (m + 1) + j + 1];
            common[i * (m + 1) + j] = equal(&a[i], &b[j]) ? common[(i + 1) * (m + 1) + j + 1] + 1
                                      : down > right      ? down
                                                          : right;
        }
    }
    size_t i = 0, j = 0, first = 0, second = 0; /* what differs begins there */
    while (ok && i < n && j < m) {
        if (equal(&a[i], &b[j])) {
            ok = add_block(p, a + first, i - first, b + second, j - second) && add(p, &a[i], &b[j], true);
            first = ++i;
            second = ++j;
        } else if (common[(i + 1) * (m + 1) + j] >= common[i * (m + 1) + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    ok = ok && add_block(p, a + first, n - first, b + second, m - second);
    free(common);
    return ok;
}

/* ---- what is shown --------------------------------------------------------------------------- */

static size_t indent_of(const struct line_pair *p)
{
    const struct line *l = p->a.text ? &p->a : &p->b;
    size_t i = 0;
    while (i < l->n && l->text[i] == ' ')
        i++;
    return i;
}

static void show(struct line_pairs *p)
{
    for (size_t i = 0; i < p->items.n; i++) {
        struct line_pair *all = p->items.items;
        if (all[i].same)
            continue;
        all[i].shown = true;
        if (i + 1 < p->items.n)
            all[i + 1].shown = true;
        if (i == 0 || !all[i - 1].same)
            continue;
        all[i - 1].shown = true;
        size_t indent = indent_of(&all[i]);
        for (size_t k = i; k-- > 0 && indent > 0;) {
            if (indent_of(&all[k]) >= indent)
                continue;
            indent = indent_of(&all[k]);
            all[k].shown = true;
        }
    }
}

enum refrain_status line_pairs_create(struct line_pairs *p, const struct bytes *a, const struct bytes *b)
{
    struct text_lines first = {0}, second = {0};
    size_t begin = 0, end = 0; /* lines that are the same in front and behind */
    bool ok = split(&first, a) && split(&second, b);
    *p = (struct line_pairs){0};
    while (ok && begin < first.n && begin < second.n && equal(&first.items[begin], &second.items[begin]))
        begin++;
    while (ok && end < first.n - begin && end < second.n - begin &&
           equal(&first.items[first.n - 1 - end], &second.items[second.n - 1 - end]))
        end++;
    const size_t n = first.n - begin - end, m = second.n - begin - end;
    p->too_many = (n + 1) * (m + 1) > MOST;
    for (size_t i = 0; i < begin && ok; i++)
        ok = add(p, &first.items[i], &second.items[i], true);
    if (ok && !p->too_many)
        ok = align(p, first.items + begin, n, second.items + begin, m);
    for (size_t i = 0; i < end && ok; i++)
        ok = add(p, &first.items[begin + n + i], &second.items[begin + m + i], true);
    show(p);
    array_free(&first);
    array_free(&second);
    if (ok)
        return REFRAIN_OK;
    log_error("out of memory: two texts of %zu and %zu bytes", a->n, b->n);
    line_pairs_free(p);
    return REFRAIN_ERR_MEMORY;
}

void line_pairs_free(struct line_pairs *p)
{
    array_free(&p->items);
    *p = (struct line_pairs){0};
}
