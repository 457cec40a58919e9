/* SPDX-License-Identifier: BSD-3-Clause */
#include "site_callers.h"

#include "src/core/base/log.h"
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

/* A site as a word: its function, the text of each location, ENDED, and its frames. The word of one site is never the
 * begin of another's. Words that are sorted are a tree, in which sites part where one location differs. */
#define ENDED 0

struct word {
    uint32_t site;
    size_t first; /* in `letters` */
    size_t n;
    size_t locations;
};

struct parting {
    const struct symbols *symbols;
    uint32_t *texts; /* of each location in symbols->locations: the same number for the same text */
    ARRAY(uint32_t) letters;
    ARRAY(struct word) words;
    ARRAY(size_t) depths; /* where the words part, of those on the way down */
    struct site_callers *found;
};

/* ---- texts of locations ---------------------------------------------------------------------- */

static int order_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

static int by_text(const void *a, const void *b, void *locations)
{
    const struct source_location *x = (const struct source_location *)locations + *(const uint32_t *)a,
                                 *y = (const struct source_location *)locations + *(const uint32_t *)b;
    int order = x->line < y->line ? -1 : x->line > y->line;
    order = order != 0 ? order : order_text(base_name(x->file), base_name(y->file));
    return order != 0 ? order : order_text(x->function, y->function);
}

/* Texts without a file have an offset, which is that of a single frame. */
static bool number_texts(struct parting *p)
{
    struct source_location *locations = p->symbols->locations.items;
    const size_t n = p->symbols->locations.n;
    uint32_t *order = calloc(n + 1, sizeof *order);
    p->texts = calloc(n + 1, sizeof *p->texts);
    for (size_t i = 0; order && i < n; i++)
        order[i] = (uint32_t)i;
    if (order && p->texts && n > 0)
        qsort_r(order, n, sizeof *order, by_text, locations);
    for (size_t i = 0; order && p->texts && i < n; i++) {
        const bool again =
            i > 0 && locations[order[i]].file && by_text(&order[i - 1], &order[i], locations) == 0;
        p->texts[order[i]] = again ? p->texts[order[i - 1]] : order[i];
    }
    free(order);
    return order && p->texts;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Adds the letters of a frame's locations; *locations grows by their number. */
static bool add_texts(struct parting *p, uint32_t frame, size_t *locations)
{
    const struct symbols_frame *f = &p->symbols->frames.items[frame];
    const uint32_t unknown = (uint32_t)p->symbols->locations.n + frame;
    *locations += f->n > 0 ? f->n : 1;
    for (size_t i = 0; i < f->n; i++) {
        if (!array_push(&p->letters, ENDED + 1 + p->texts[f->first + i]))
            return false;
    }
    return f->n > 0 || array_push(&p->letters, ENDED + 1 + unknown);
}

static bool add_word(struct parting *p, uint32_t site)
{
    const struct site *this = &p->symbols->trace->sites.items[site];
    struct word word = {.site = site, .first = p->letters.n};
    bool ok = array_push(&p->letters, this->function);
    for (uint32_t i = 0; ok && i < this->n_frames; i++)
        ok = add_texts(p, symbols_frame_number(p->symbols, &this->frames[i]), &word.locations);
    ok = ok && array_push(&p->letters, ENDED);
    for (uint32_t i = 0; ok && i < this->n_frames; i++)
        ok = array_push(&p->letters, symbols_frame_number(p->symbols, &this->frames[i]));
    word.n = p->letters.n - word.first;
    return ok && array_push(&p->words, word);
}

static bool add_words(struct parting *p)
{
    const struct trace *t = p->symbols->trace;
    bool *called = calloc(t->sites.n + 1, sizeof *called), ok = called != NULL;
    for (size_t i = 0; ok && i < t->shapes.n; i++) {
        const struct shape *shape = &t->shapes.items[i];
        for (size_t k = 0; k < shape->entries.n; k++)
            called[shape->entries.items[k].site] = true;
    }
    for (uint32_t site = 0; ok && site < t->sites.n; site++)
        ok = !called[site] || t->sites.items[site].n_frames == 0 || add_word(p, site);
    free(called);
    return ok;
}

/* ---- parting --------------------------------------------------------------------------------- */

/* Returns how many letters are the same. */
static size_t common(const uint32_t *letters, const struct word *a, const struct word *b)
{
    const uint32_t *x = letters + a->first, *y = letters + b->first;
    const size_t most = a->n < b->n ? a->n : b->n;
    size_t n = 0;
    while (n < most && x[n] == y[n])
        n++;
    return n;
}

static int by_letters(const void *a, const void *b, void *letters)
{
    const struct word *x = a, *y = b;
    const size_t n = common(letters, x, y);
    if (n == x->n || n == y->n)
        return x->n < y->n ? -1 : x->n > y->n;
    return ((const uint32_t *)letters)[x->first + n] < ((const uint32_t *)letters)[y->first + n] ? -1 : 1;
}

/* Letter 0 is the function, letter 1 the innermost location, which are shown anyway. */
static bool keep(struct parting *p, const struct word *word)
{
    struct site_shown *shown = &p->found->of_site[word->site];
    shown->first = p->found->numbers.n;
    for (size_t i = 0; i < p->depths.n; i++) {
        const size_t depth = p->depths.items[i], ended = word->locations + 1;
        const uint32_t number = (uint32_t)(depth > ended ? SITE_OFFSET | (depth - ended - 1) : depth - 1);
        if (depth > 1 && depth != ended && !array_push(&p->found->numbers, number))
            return false;
    }
    shown->n = p->found->numbers.n - shown->first;
    return true;
}

/* Words of one begin, sorted. */
static bool part(struct parting *p, const struct word *words, size_t n)
{
    const uint32_t *letters = p->letters.items;
    const size_t depth = common(letters, &words[0], &words[n - 1]);
    bool ok = true;
    if (depth == words[0].n || depth == words[n - 1].n) {
        for (size_t i = 0; i < n && ok; i++)
            ok = keep(p, &words[i]);
        return ok;
    }
    ok = array_push(&p->depths, depth);
    for (size_t begin = 0, end; begin < n && ok; begin = end) {
        for (end = begin + 1; end < n; end++) {
            if (letters[words[begin].first + depth] != letters[words[end].first + depth])
                break;
        }
        ok = part(p, words + begin, end - begin);
    }
    p->depths.n--;
    return ok;
}

enum refrain_status site_callers_find(struct site_callers *c, const struct symbols *s)
{
    struct parting p = {.symbols = s, .found = c};
    *c = (struct site_callers){.of_site = calloc(s->trace->sites.n + 1, sizeof *c->of_site)};
    bool ok = c->of_site && number_texts(&p) && add_words(&p);
    if (ok && p.words.n > 0) {
        qsort_r(p.words.items, p.words.n, sizeof *p.words.items, by_letters, p.letters.items);
        ok = part(&p, p.words.items, p.words.n);
    }
    free(p.texts);
    array_free(&p.letters);
    array_free(&p.words);
    array_free(&p.depths);
    if (ok)
        return REFRAIN_OK;
    log_error("out of memory: the callers of %zu call sites", s->trace->sites.n);
    site_callers_free(c);
    return REFRAIN_ERR_MEMORY;
}

void site_callers_free(struct site_callers *c)
{
    free(c->of_site);
    array_free(&c->numbers);
    *c = (struct site_callers){0};
}
