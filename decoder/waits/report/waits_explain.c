/* SPDX-License-Identifier: BSD-3-Clause */
/* What metrics mean. */
#include "decoder/util/text.h"
#include "waits_text.h"

#include <ctype.h>
#include <string.h>

#define WIDTH     78
#define NEAR_MOST 5

/* Words, in lines of at most so many columns. */
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

/* ---- near ones ------------------------------------------------------------------------------- */

#define NAME_MOST 64 /* characters that are compared */

/* Its letters and digits, small. */
static size_t squeeze(const char *word, char *to)
{
    size_t n = 0;
    for (; *word && n + 1 < NAME_MOST; word++) {
        if (isalnum((unsigned char)*word))
            to[n++] = (char)tolower((unsigned char)*word);
    }
    to[n] = '\0';
    return n;
}

/* The fewest insertions, deletions and changes of a character that make one word of the other. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(b);
    size_t row[NAME_MOST + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t before = row[0]; /* of the row above, to the left */
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            const size_t change = before + (a[i] != b[j]),
                         shorter = row[j] < row[j + 1] ? row[j] : row[j + 1];
            before = row[j + 1];
            row[j + 1] = change < shorter + 1 ? change : shorter + 1;
        }
    }
    return row[n];
}

/* How far a name is from the word: 0 if the word is in it. */
static size_t far(const char *name, const char *word)
{
    char squeezed[NAME_MOST];
    squeeze(strncmp(name, "mpi_", 4) == 0 ? name + 4 : name, squeezed);
    return strstr(squeezed, word) ? 0 : distance(squeezed, word);
}

static size_t row_far(const struct metric *row, const char *word)
{
    const size_t name = far(row->uniq_name, word), title = far(row->name, word);
    return name < title ? name : title;
}

void waits_put_near(const struct metrics *m, const char *word, struct bytes *out)
{
    char own[NAME_MOST];
    const size_t n = squeeze(strncmp(word, "mpi_", 4) == 0 ? word + 4 : word, own);
    size_t least = n / 3 + 1, told = 0; /* what is further away is another word */
    for (size_t i = 0; i < m->n && n > 2; i++) {
        const size_t d = row_far(m->items[i], own);
        least = d < least ? d : least;
    }
    for (size_t i = 0; i < m->n && n > 2 && told < NEAR_MOST; i++) {
        if (row_far(m->items[i], own) == least)
            text_printf(out, "%s%s", told++ > 0 ? ", " : "", m->items[i]->uniq_name);
    }
}
