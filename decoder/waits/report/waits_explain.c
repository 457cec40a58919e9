/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains the metrics. */
#include "decoder/util/near_word.h"
#include "decoder/util/text.h"
#include "waits_text.h"

#include <string.h>

#define WIDTH     78
#define NEAR_MOST 5

/* Writes words in lines of at most WIDTH columns. */
static void put_paragraph(const char *words, struct bytes *out)
{
    for (size_t column = 0; *words; words += strspn(words, " ")) {
        const size_t n = strcspn(words, " ");
        if (column > 0 && column + 1 + n > WIDTH) {
            text_putc(out, '\n');
            column = 0;
        } else if (column > 0) {
            text_putc(out, ' ');
            column++;
        }
        bytes_put(out, words, n);
        column += n;
        words += n;
    }
    text_putc(out, '\n');
}

static void put_children(const struct metrics *m, uint32_t metric, unsigned depth, struct bytes *out)
{
    for (uint32_t i = 0; i < m->n; i++) {
        if (m->parents[i] != metric)
            continue;
        const int indent = (int)(2 * depth);
        text_printf(out, "%*s%-*s  %s\n", indent, "", 38 - indent, m->items[i]->uniq_name, m->items[i]->name);
        put_children(m, i, depth + 1, out);
    }
}

void waits_put_explanation(const struct metrics *m, uint32_t metric, struct bytes *out)
{
    if (metric == METRIC_NONE) {
        put_children(m, METRIC_NONE, 0, out);
        return;
    }
    const struct metric *row = m->items[metric];
    text_printf(out, "%s: %s [%s]\n", row->uniq_name, row->name, metric_units[row->unit]);
    if (row->parent)
        text_printf(out, "part of %s\n", row->parent);
    text_putc(out, '\n');
    put_paragraph(row->text, out);
    if (row->drawing) {
        text_putc(out, '\n');
        for (const char *line = row->drawing; *line;) {
            const size_t n = strcspn(line, "\n") + 1;
            text_put(out, "    ");
            bytes_put(out, line, n);
            line += n;
        }
    }
    if (row->source)
        text_printf(out, "\nDefined as in: %s\n", row->source);
}

/* ---- similar names --------------------------------------------------------------------------- */

/* The common prefix does not count when names are compared with a word. */
static const char *behind_prefix(const char *name)
{
    return strncmp(name, "mpi_", 4) == 0 ? name + 4 : name;
}

static size_t row_far(const struct metric *row, const char *word)
{
    const size_t name = near_word_distance(behind_prefix(row->uniq_name), word),
                 title = near_word_distance(row->name, word);
    return name < title ? name : title;
}

void waits_put_near(const struct metrics *m, const char *word, struct bytes *out)
{
    size_t least = NEAR_WORD_NONE, told = 0;
    word = behind_prefix(word);
    for (size_t i = 0; i < m->n; i++) {
        const size_t d = row_far(m->items[i], word);
        least = d < least ? d : least;
    }
    for (size_t i = 0; i < m->n && least != NEAR_WORD_NONE && told < NEAR_MOST; i++) {
        if (row_far(m->items[i], word) == least)
            text_printf(out, "%s%s", told++ > 0 ? ", " : "", m->items[i]->uniq_name);
    }
}
