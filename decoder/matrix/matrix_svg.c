/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix as a heat map:
 *
 *     title: its subject
 *     4 messages, 320 bytes                      the sum
 *               to rank
 *               0    1    2    3           [#] 1000
 *     from  0        ##        ..          [#]             colours: a logarithmic scale from
 *     rank  1   ##        ##               [+] 100         the least to the most of a cell
 *           2        ##        ##          [.]
 *           3   ..        ##               [.] 10
 *
 * Up to CELLS_NAMED ranks, each cell is a rectangle that shows its numbers when the pointer is on it. With
 * more ranks, all cells of one colour are one path, in which neighbours are one rectangle. */
#include "decoder/util/heat_colour.h"
#include "decoder/util/image_png.h"
#include "decoder/util/svg.h"
#include "decoder/util/text.h"
#include "matrix_grid.h"
#include "matrix_text.h"
#include "src/core/base/log.h"

#include <math.h>
#include <string.h>

enum {
    CELLS_MOST = 512, /* with more ranks, cells are blocks of ranks */
    CELLS_NAMED = 128,
    SIDE = 640,     /* pixels of the square, approximately */
    CELL_MOST = 40, /* pixels of a cell */
    LEFT = 84,
    TOP = 84,
    MARGIN = 16, /* around texts */
    GAP = 24,    /* between square and scale */
    SCALE_WIDTH = 14,
    SCALE_LEAST = 120, /* its least height */
    RIGHT = 110,       /* for the scale with its numbers */
    BOTTOM = 30,
    WIDTH_LEAST = 420,
    LEVELS = 48,  /* colours */
    TICKS = 16,   /* at most */
    SHORTEST = 10 /* a scale covers at least the range from 1 to this */
};

struct heat_map {
    struct matrix_grid grid;
    const struct matrix_subject *subject;
    struct svg svg;
    uint32_t cell, side; /* pixels */
    /* ends of the scale: extremes of the cells that are not empty; 0 if all are empty */
    uint64_t least, most;
};

static const char style[] =
    "text { font: 11px sans-serif } .title { font: bold 13px sans-serif } .middle { text-anchor: middle }\n"
    ".end { text-anchor: end } .empty { fill: #f2f2f2 } .frame { fill: none; stroke: #888 } path { "
    "stroke-width: 1 }\n"
    "g path { stroke: none } svg > path { stroke: #555 }";

/* ---- colours --------------------------------------------------------------------------------- */

static void put_colour(struct bytes *out, uint32_t level)
{
    heat_colour_put(out, (double)level / (LEVELS - 1));
}

/* Returns the position of a value on the scale, from 0 to 1. */
static double fraction_of(const struct heat_map *h, double value)
{
    const double whole = log((double)h->most) - log((double)h->least);
    return whole > 0 ? (log(value) - log((double)h->least)) / whole : 1;
}

static uint64_t value_at(const struct heat_map *h, uint32_t from, uint32_t to)
{
    const struct matrix_sum *s = matrix_grid_at(&h->grid, from, to);
    return h->subject->by_messages ? s->messages : s->bytes;
}

/* Returns LEVELS for an empty cell. Messages without bytes get the lowest level. */
static uint32_t level_at(const struct heat_map *h, uint32_t from, uint32_t to)
{
    const uint64_t value = value_at(h, from, to);
    if (matrix_grid_at(&h->grid, from, to)->messages == 0)
        return LEVELS;
    return value == 0 ? 0 : (uint32_t)lround(fraction_of(h, (double)value) * (LEVELS - 1));
}

static void find_extremes(struct heat_map *h)
{
    for (uint32_t i = 0; i < h->grid.n; i++) {
        for (uint32_t k = 0; k < h->grid.n; k++) {
            const uint64_t value = value_at(h, i, k);
            if (value > 0 && (h->least == 0 || value < h->least))
                h->least = value;
            h->most = value > h->most ? value : h->most;
        }
    }
    /* Small differences must not get the most different colours. */
    if (h->least != h->most && h->least > h->most / SHORTEST)
        h->least = h->most > SHORTEST ? h->most / SHORTEST : 1;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void put_named_cell(struct heat_map *h, uint32_t from, uint32_t to, uint32_t level)
{
    const struct matrix_sum *s = matrix_grid_at(&h->grid, from, to);
    svg_open(&h->svg, "rect");
    svg_numbers(&h->svg, "x y width height", LEFT + to * h->cell, TOP + from * h->cell, h->cell, h->cell);
    put_colour(svg_value(&h->svg, "fill"), level);
    svg_open(&h->svg, "title");
    struct bytes *title = svg_text(&h->svg);
    matrix_grid_put_ranks(&h->grid, from, title);
    text_put(title, " to ");
    matrix_grid_put_ranks(&h->grid, to, title);
    text_printf(title, ": %llu messages, %llu bytes", (unsigned long long)s->messages,
                (unsigned long long)s->bytes);
    svg_close_all(&h->svg);
}

/* Writes all cells of one level. */
static void put_level(struct heat_map *h, uint32_t level)
{
    struct bytes *path = NULL;
    for (uint32_t from = 0; from < h->grid.n; from++) {
        for (uint32_t to = 0, end; to < h->grid.n; to = end) {
            end = to + 1;
            if (level_at(h, from, to) != level)
                continue;
            while (end < h->grid.n && level_at(h, from, end) == level)
                end++;
            if (!path) {
                svg_open(&h->svg, "path");
                put_colour(svg_value(&h->svg, "fill"), level);
                path = svg_value(&h->svg, "d");
            }
            svg_print(path, "M% %h%v%h-%z", LEFT + to * h->cell, TOP + from * h->cell, (end - to) * h->cell,
                      h->cell, (end - to) * h->cell);
        }
    }
    if (path)
        svg_close_all(&h->svg);
}

/* Writes the square around all cells. */
static void put_square(struct heat_map *h, const char *class)
{
    svg_open(&h->svg, "rect");
    svg_numbers(&h->svg, "x y width height", LEFT, TOP, h->side, h->side);
    svg_attribute(&h->svg, "class", class);
    svg_close_all(&h->svg);
}

static void put_cells(struct heat_map *h)
{
    const bool named = h->grid.n <= CELLS_NAMED;
    put_square(h, "empty");
    svg_group(&h->svg, "shape-rendering", "crispEdges");
    for (uint32_t level = 0; level < LEVELS && !named; level++)
        put_level(h, level);
    for (uint32_t from = 0; from < h->grid.n && named; from++) {
        for (uint32_t to = 0; to < h->grid.n; to++) {
            const uint32_t level = level_at(h, from, to);
            if (level < LEVELS)
                put_named_cell(h, from, to, level);
        }
    }
    svg_group_end(&h->svg);
    put_square(h, "frame");
}

/* ---- axes, scale and notes ------------------------------------------------------------------- */

/* Returns the distance of ranks with a number: 1, 2, 5, 10, 20, 50, … so that their number fits
 * the room. */
static uint32_t step_of(uint32_t ranks, uint32_t room)
{
    static const uint32_t factors[] = {1, 2, 5};
    const uint32_t most = room < TICKS ? room : TICKS;
    for (uint32_t ten = 1;; ten *= 10) {
        for (unsigned i = 0; i < sizeof factors / sizeof factors[0]; i++) {
            if (ranks <= (uint64_t)ten * factors[i] * most)
                return ten * factors[i];
        }
    }
}

static void put_rank(struct heat_map *h, double x, double y, const char *class, uint32_t rank)
{
    svg_label(&h->svg, x, y, class);
    text_uint(svg_text(&h->svg), rank);
    svg_close_all(&h->svg);
}

static void put_axes(struct heat_map *h)
{
    const struct matrix *m = h->grid.matrix;
    const uint32_t step = step_of(m->n_ranks, h->side / 36 + 1);
    svg_label(&h->svg, LEFT + h->side / 2, TOP - 24, "middle");
    text_put(svg_text(&h->svg), "to rank");
    svg_close_all(&h->svg);
    svg_open(&h->svg, "text");
    svg_print(svg_value(&h->svg, "transform"), "translate(% %) rotate(-90)", LEFT - 50, TOP + h->side / 2);
    svg_attribute(&h->svg, "class", "middle");
    text_put(svg_text(&h->svg), "from rank");
    svg_close_all(&h->svg);
    for (uint32_t i = 0; i < m->n_ranks; i += step) {
        const uint32_t middle = i / h->grid.block * h->cell + h->cell / 2;
        svg_open(&h->svg, "path");
        svg_print(svg_value(&h->svg, "d"), "M% %v4M% %h4", LEFT + middle, TOP - 5, LEFT - 5, TOP + middle);
        svg_close_all(&h->svg);
        put_rank(h, LEFT + middle, TOP - 9, "middle", matrix_grid_rank(&h->grid, i));
        put_rank(h, LEFT - 9, TOP + middle + 4, "end", matrix_grid_rank(&h->grid, i));
    }
}

static void put_scale_number(struct heat_map *h, uint32_t height, uint64_t value, const char *unit)
{
    const uint32_t x = LEFT + h->side + GAP + SCALE_WIDTH;
    const uint32_t y = TOP + height - (uint32_t)lround(fraction_of(h, (double)value) * height);
    svg_open(&h->svg, "path");
    svg_print(svg_value(&h->svg, "d"), "M% %h4", x, y);
    svg_close(&h->svg);
    svg_label(&h->svg, x + 8, y + 4, NULL);
    text_printf(svg_text(&h->svg), "%llu%s", (unsigned long long)value, unit);
    svg_close_all(&h->svg);
}

/* Writes the least and the largest number, and between them powers of ten that are not too near to
 * others; on a short scale also twice and five times these. */
static void put_scale_numbers(struct heat_map *h, uint32_t height, const char *unit)
{
    static const uint32_t factors[] = {1, 2, 5};
    const unsigned n = h->most / 100 < h->least ? 3 : 1;
    const double apart = 16.0 / height;
    double last = 0;
    put_scale_number(h, height, h->most, unit);
    if (h->most == h->least)
        return;
    put_scale_number(h, height, h->least, unit);
    for (uint64_t ten = 1;; ten *= 10) {
        for (unsigned i = 0; i < n; i++) {
            const uint64_t value = ten * factors[i];
            const double at = fraction_of(h, (double)value);
            if (at - last >= apart && 1 - at >= apart) {
                put_scale_number(h, height, value, unit);
                last = at;
            }
        }
        if (ten > h->most / 10)
            break;
    }
}

static void put_scale(struct heat_map *h)
{
    const uint32_t height = h->side > SCALE_LEAST ? h->side : SCALE_LEAST;
    const uint32_t levels = h->most > h->least ? LEVELS : 1;
    if (h->most == 0)
        return;
    for (uint32_t level = 0; level < levels; level++) {
        const uint32_t top = height - height * (level + 1) / levels,
                       bottom = height - height * level / levels;
        svg_open(&h->svg, "rect");
        svg_numbers(&h->svg, "x y width height", LEFT + h->side + GAP, TOP + top, SCALE_WIDTH, bottom - top);
        svg_attribute(&h->svg, "shape-rendering", "crispEdges");
        put_colour(svg_value(&h->svg, "fill"), levels > 1 ? level : LEVELS - 1);
        svg_close_all(&h->svg);
    }
    put_scale_numbers(h, height, h->subject->by_messages ? "" : " B");
}

static void put_heading(struct heat_map *h)
{
    static const char *const outside[2][2] = {
        {"", ", also to processes outside"},
        {", also from processes outside", ", also from and to processes outside"}};
    const struct matrix_subject *s = h->subject;
    svg_label(&h->svg, MARGIN, 24, "title");
    struct bytes *title = svg_text(&h->svg);
    text_put(title, s->by_messages ? "Messages" : "Bytes");
    if (s->one_sided)
        text_put(title, " of one-sided communication");
    text_put(title, " of ");
    if (s->path)
        text_printf(title, "%s %s of ", strchr(s->path, '-') ? "constructs" : "construct", s->path);
    text_put(title, s->trace);
    if (s->order)
        text_printf(title, ", ranks by place in the topology: %s", s->order_name);
    svg_close_all(&h->svg);
    svg_label(&h->svg, MARGIN, 42, NULL);
    text_printf(svg_text(&h->svg), "%u ranks, %llu messages, %llu bytes in all%s", h->grid.matrix->n_ranks,
                (unsigned long long)h->grid.all.messages, (unsigned long long)h->grid.all.bytes,
                outside[h->grid.from_outside][h->grid.to_outside]);
    svg_close_all(&h->svg);
}

static void put_notes(struct heat_map *h, uint32_t y)
{
    if (h->grid.block <= 1 && h->grid.matrix->unclear == 0)
        return;
    svg_label(&h->svg, MARGIN, y, NULL);
    struct bytes *notes = svg_text(&h->svg);
    if (h->grid.block > 1)
        text_printf(notes, "Each cell is the sum over %u x %u ranks. ", h->grid.block, h->grid.block);
    matrix_put_missing(h->grid.matrix, notes);
    svg_close_all(&h->svg);
}

static void draw(struct heat_map *h)
{
    const uint32_t below = h->side > SCALE_LEAST ? h->side : SCALE_LEAST;
    const uint32_t least = WIDTH_LEAST, wanted = LEFT + h->side + GAP + SCALE_WIDTH + RIGHT;
    const uint32_t width = wanted > least ? wanted : least, height = TOP + below + BOTTOM;
    svg_start(&h->svg, &(struct svg_head){.width = width, .height = height, .style = style});
    put_heading(h);
    put_axes(h);
    put_cells(h);
    put_scale(h);
    put_notes(h, height - 10);
    svg_end(&h->svg);
}

enum refrain_status matrix_put_svg(const struct matrix *m, const struct matrix_subject *s, struct output *out)
{
    struct heat_map h = {.subject = s, .svg = {.out = &out->text}};
    const enum refrain_status status = matrix_grid_create(&h.grid, m, CELLS_MOST, s->order);
    if (status != REFRAIN_OK)
        return status;
    h.cell = h.grid.n > 0 && SIDE / h.grid.n > 1 ? SIDE / h.grid.n : 1;
    h.cell = h.cell > CELL_MOST ? CELL_MOST : h.cell;
    h.side = h.cell * h.grid.n;
    find_extremes(&h);
    draw(&h);
    matrix_grid_free(&h.grid);
    return out->text.failed ? REFRAIN_ERR_MEMORY : REFRAIN_OK;
}

enum refrain_status matrix_put_png(const struct matrix *m, const struct matrix_subject *s, struct output *out)
{
    struct output svg = {0};
    enum refrain_status status = matrix_put_svg(m, s, &svg);
    if (status == REFRAIN_OK)
        status = image_png_of_svg(&svg.text, &out->text);
    bytes_free(&svg.text);
    return status;
}
