/* SPDX-License-Identifier: BSD-3-Clause */
/* The models of two runs as text, side by side:
 *
 *     A                                      B
 *     for i0 = 1 to 10                    |  for i0 = 1 to 20
 *       x -> x+1 tag0                          x -> x+1 tag0
 *     ...
 *                                         >  MPI_Barrier MPI_COMM_WORLD
 *
 * | differs, < is in A alone, > in the other one alone. A line that is too long for its column is on a row of its own. */
#include "run_difference.h"

#include "decoder/util/text.h"

enum { COLUMN_MOST = 60 };

/* Of the lines that are shown in the first column. */
static size_t find_width(const struct line_pairs *p)
{
    size_t width = 10;
    for (size_t i = 0; i < p->items.n; i++) {
        const struct line_pair *pair = &p->items.items[i];
        if (pair->shown && pair->a.n <= COLUMN_MOST && pair->a.n > width)
            width = pair->a.n;
    }
    return width;
}

static void put_line(const struct line *l, struct bytes *out)
{
    if (l->text)
        bytes_put(out, l->text, l->n);
}

static void put_blanks(size_t n, struct bytes *out)
{
    for (size_t i = 0; i < n; i++)
        text_putc(out, ' ');
}

static void put_pair(const struct line_pair *p, size_t width, struct bytes *out)
{
    const char sign = p->same ? ' ' : !p->b.text ? '<' : !p->a.text ? '>' : '|';
    put_line(&p->a, out);
    if (!p->b.text) {
        put_blanks(p->a.n < width ? width - p->a.n : 0, out);
        text_put(out, "  <\n");
        return;
    }
    if (p->a.n > width)
        text_putc(out, '\n');
    put_blanks(p->a.n > width ? width : width - p->a.n, out);
    text_printf(out, "  %c  ", sign);
    put_line(&p->b, out);
    text_putc(out, '\n');
}

enum refrain_status run_difference_put_models(const struct run_difference *d, struct output *out)
{
    const struct line_pairs *p = &d->model;
    struct bytes *text = &out->text;
    if (!d->has_models) {
        text_put(text, "The models are too long to be compared.\n");
        return REFRAIN_OK;
    }
    if (p->too_many || p->differing == 0)
        return REFRAIN_OK;
    const size_t width = find_width(p);
    bool gap = false;
    text_put(text, "\nA");
    put_blanks(width + 4, text);
    run_difference_put_label(d->n_groups - 1, text);
    text_putc(text, '\n');
    for (size_t i = 0; i < p->items.n; i++) {
        gap = gap || !p->items.items[i].shown;
        if (!p->items.items[i].shown)
            continue;
        text_put(text, gap ? "...\n" : "");
        put_pair(&p->items.items[i], width, text);
        gap = false;
    }
    return text->failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}
