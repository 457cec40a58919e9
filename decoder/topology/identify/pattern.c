/* SPDX-License-Identifier: BSD-3-Clause */
#include "pattern.h"

#include "decoder/util/line_file.h"
#include "pattern_rules.h"
#include "src/core/base/log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of preferred names. */
static const char *const builtin[] = {
    "grid: lattice",
    "6-point stencil: lattice (1,0) (0,1) (1,-1)",
    "8-point stencil: lattice (1,0) (0,1) (1,-1) (1,1)",
    "18-point stencil: lattice (1,0,0) (0,1,0) (0,0,1) (1,1,0) (1,-1,0) (1,0,1) (1,0,-1) (0,1,1) (0,1,-1)",
    "26-point stencil: lattice (1,0,0) (0,1,0) (0,0,1) (1,1,0) (1,-1,0) (1,0,1) (1,0,-1) (0,1,1) (0,1,-1) "
    "(1,1,1) (1,1,-1) (1,-1,1) (1,-1,-1)",
    "diagonal multi-partitioning: square torus lattice (1,0) (0,1) (1,-1)",
    "complete graph: complete",
    "star: star",
    "complete bipartite graph: bipartite",
    "binary tree: tree 2",
    "binomial tree: binomial",
    "tree: tree",
    "CG exchange: cg",
    "recursive doubling: doubling",
    "butterfly: butterfly",
    "ring with distances of powers of two: ring-distances",
    "line with distances of powers of two: line-distances",
};

/* ---- lines ----------------------------------------------------------------------------------- */

struct line {
    const char *at;
    const char *what_is_wrong;
};

static void skip_blanks(struct line *l)
{
    while (*l->at && isspace((unsigned char)*l->at))
        l->at++;
}

/* Takes the next word if it is `word`. */
static bool take(struct line *l, const char *word)
{
    const size_t n = strlen(word);
    skip_blanks(l);
    if (strncmp(l->at, word, n) != 0 ||
        (isalnum((unsigned char)word[n - 1]) && (isalnum((unsigned char)l->at[n]) || l->at[n] == '-')))
        return false;
    l->at += n;
    return true;
}

static bool take_number(struct line *l, long *number)
{
    char *end;
    skip_blanks(l);
    *number = strtol(l->at, &end, 10);
    if (end == l->at)
        return false;
    l->at = end;
    return true;
}

/* Takes an offset: "(1,-1)". */
static bool take_offset(struct line *l, struct pattern *p)
{
    unsigned n = 0;
    bool moves = false;
    if (p->n_offsets == PATTERN_OFFSETS) {
        l->what_is_wrong = "more than 40 offsets";
        return false;
    }
    do {
        long number;
        if (n == PATTERN_DIMS || !take_number(l, &number) || number < -100 || number > 100) {
            l->what_is_wrong = "an offset is 1 to 4 whole numbers from -100 to 100, as (1,-1)";
            return false;
        }
        p->offsets[p->n_offsets][n++] = (int8_t)number;
        moves = moves || number != 0;
    } while (take(l, ","));
    if (!take(l, ")") || !moves || (p->n_offsets > 0 && n != p->n_dims)) {
        l->what_is_wrong = "all offsets have as many coordinates, not all of them 0, in parentheses";
        return false;
    }
    p->n_dims = n;
    p->n_offsets++;
    return true;
}

static bool take_lattice(struct line *l, struct pattern *p)
{
    while (take(l, "("))
        if (!take_offset(l, p))
            return false;
    p->kind = p->n_offsets > 0 ? PATTERN_STENCIL : PATTERN_GRID;
    skip_blanks(l);
    if (*l->at)
        l->what_is_wrong = "offsets are in parentheses, as (1,-1)";
    else if (p->kind == PATTERN_GRID && (p->square || p->torus_only || p->grid_only))
        l->what_is_wrong = "square, torus and grid are for lattices with offsets";
    return !l->what_is_wrong;
}

static bool take_rule(struct line *l, struct pattern *p)
{
    p->kind = PATTERN_RULE;
    for (p->rule = 0; p->rule < n_pattern_rules; p->rule++) {
        const struct pattern_rule *rule = &pattern_rules[p->rule];
        long arity;
        if (!take(l, rule->word))
            continue;
        if (!rule->most_arity || !take_number(l, &arity))
            return true;
        if (arity < 2 || arity > 1000000)
            break;
        p->arity = (uint32_t)arity;
        return true;
    }
    l->what_is_wrong = "what follows the colon is a lattice or a rule (refrain-topology(1), Patterns)";
    return false;
}

static bool parse(struct line *l, struct pattern *p)
{
    const char *colon = strchr(l->at, ':');
    if (!colon || colon == l->at) {
        l->what_is_wrong = "a pattern is NAME: WHAT";
        return false;
    }
    p->name = strndup(l->at, (size_t)(colon - l->at));
    l->at = colon + 1;
    p->square = take(l, "square");
    p->torus_only = take(l, "torus");
    p->grid_only = !p->torus_only && take(l, "grid");
    if (!(take(l, "lattice") ? take_lattice(l, p) : take_rule(l, p)))
        return false;
    skip_blanks(l);
    if (*l->at)
        l->what_is_wrong = "there is text after the pattern";
    return !*l->at;
}

/* ---- the library ----------------------------------------------------------------------------- */

void pattern_library_free(struct pattern_library *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->items[i].name);
    array_free(l);
}

struct adding {
    struct pattern_library *library;
    size_t at; /* index of the next pattern */
};

static enum refrain_status take_line(void *context, char *line, const char *path, size_t number)
{
    struct adding *a = context;
    struct pattern_library *l = a->library;
    struct pattern p = {0};
    struct line read = {line, NULL};
    enum refrain_status status = REFRAIN_OK;
    if (!parse(&read, &p)) {
        log_error("%s:%zu: %s", path, number, read.what_is_wrong);
        status = REFRAIN_ERR_FORMAT;
    } else if (!p.name || !array_push(l, p)) {
        status = REFRAIN_ERR_MEMORY;
    }
    if (status != REFRAIN_OK) {
        free(p.name);
        return status;
    }
    memmove(&l->items[a->at + 1], &l->items[a->at], (l->n - 1 - a->at) * sizeof p);
    l->items[a->at++] = p;
    return REFRAIN_OK;
}

enum refrain_status pattern_library_create(struct pattern_library *l)
{
    struct adding a = {.library = l};
    enum refrain_status status = REFRAIN_OK;
    *l = (struct pattern_library){0};
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin && status == REFRAIN_OK; i++) {
        char line[256];
        snprintf(line, sizeof line, "%s", builtin[i]);
        status = take_line(&a, line, "built-in patterns", i + 1);
    }
    if (status != REFRAIN_OK)
        pattern_library_free(l);
    return status;
}

enum refrain_status pattern_library_read(struct pattern_library *l, const char *path)
{
    return line_file_read(path, take_line, &(struct adding){.library = l});
}
