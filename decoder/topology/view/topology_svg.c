/* SPDX-License-Identifier: BSD-3-Clause */
/* A topology as a picture: ranks at their places in the pattern; wider edges carry more.
 *
 *     title: what it is, of what
 *     8x2 grid: rank = 8*y + x
 *     (0)--(1)--(2)--(3)--(4)--(5)--(6)--(7)        [#] 900 B      colours: a value of each rank
 *      |    |    |    |    |    |    |    |         [+]
 *     (8)--(9)--(10)-(11)-(12)-(13)-(14)-(15)       [.] 100 B
 *
 * An edge between distant nodes, such as one that closes a torus, is drawn as a piece at each end.
 * Missing edges are dashed; extra edges and edges outside of a pattern are red. */
#include "decoder/util/heat_colour.h"
#include "decoder/util/svg.h"
#include "decoder/util/text.h"
#include "arrangement.h"
#include "decoder/topology/identify/difference.h"
#include "topology_text.h"

#include <math.h>

enum {
    COMPONENTS_MOST = 12,
    NUMBERED_MOST = 1024, /* with more ranks, nodes have no numbers */
    MARGIN = 16,
    TOP = 84,
    GAP = 48,
    SCALE_WIDTH = 14,
    SCALE_HEIGHT = 120,
    SCALE_TEXT = 150,
    LEVELS = 24,
    WIDTH_LEAST = 460
};

struct drawing {
    const struct survey *survey;
    const struct topology_subject *subject;
    struct svg svg;
    double least, most;  /* of the ranks' values */
    uint64_t heaviest;   /* largest traffic of an edge */
    double x, y, bottom; /* where the next component begins; the bottom of all so far */
};

static const char style[] =
    "text { font: 11px sans-serif } .title { font: bold 13px sans-serif } .node text { text-anchor: middle "
    "}\n"
    "circle { stroke: #555 } line { stroke: #4a6fa5; stroke-linecap: round } .extra { stroke: #c02020 }\n"
    ".planes { stroke-opacity: 0.25 } "
    ".missing { stroke: #888; stroke-dasharray: 3 4 }";

static double value_of(const struct drawing *d, uint32_t rank)
{
    return d->subject->values[rank];
}

static double fraction_of(const struct drawing *d, double value)
{
    return d->most > d->least ? (value - d->least) / (d->most - d->least) : 0;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void put_line(struct drawing *d, struct arrangement_point a, struct arrangement_point b, double width,
                     const char *class)
{
    svg_open(&d->svg, "line");
    svg_numbers(&d->svg, "x1 y1 x2 y2 stroke-width", a.x, a.y, b.x, b.y, width);
    if (class)
        svg_attribute(&d->svg, "class", class);
}

/* The text that a browser shows when the pointer is on the edge. */
static void put_title(struct drawing *d, uint32_t a, uint32_t b, const struct traffic_sum *sum)
{
    const struct traffic *t = d->survey->traffic;
    svg_open(&d->svg, "title");
    text_printf(svg_text(&d->svg), "ranks %u and %u: %llu messages, %llu bytes", traffic_rank(t, a),
                traffic_rank(t, b), (unsigned long long)sum->messages, (unsigned long long)sum->bytes);
    svg_close_all(&d->svg);
}

/* Returns a point about half a step from `from` in the direction `way`. */
static struct arrangement_point piece(const struct arrangement *l, struct arrangement_point from,
                                      struct arrangement_point way, int sign)
{
    const double length = sign * 0.55 * l->step / hypot(way.x, way.y);
    return (struct arrangement_point){from.x + way.x * length, from.y + way.y * length};
}

static struct arrangement_point point_of(const struct drawing *d, const struct arrangement *l, uint32_t image)
{
    return (struct arrangement_point){d->x + l->points[image].x, d->y + l->points[image].y};
}

/* Edges between planes would overlap and hide the edges inside the planes. */
static bool is_between_planes(const struct arrangement *l, uint32_t a, uint32_t b)
{
    uint32_t from[LATTICE_DIMS], to[LATTICE_DIMS];
    if (!l->lattice || l->lattice->n_dims < 3)
        return false;
    candidate_coordinates(l->lattice, a, from);
    candidate_coordinates(l->lattice, b, to);
    return from[2] != to[2];
}

static void put_edge(struct drawing *d, const struct arrangement *l, const uint32_t *image,
                     const struct traffic_pair *p, bool inside)
{
    const uint32_t a = image[d->survey->node_of[p->a]], b = image[d->survey->node_of[p->b]];
    const struct arrangement_point from = point_of(d, l, a), to = point_of(d, l, b);
    const uint64_t weight = traffic_weight(d->survey->traffic, &p->sum, d->subject->choice.by_messages);
    const double width =
        0.5 + 5 * sqrt((double)weight / (double)d->heaviest) * (l->step > 24 ? 1 : l->step / 24);
    const char *class = !inside ? "extra" : is_between_planes(l, a, b) ? "planes" : NULL;
    struct arrangement_point way;
    if (inside && arrangement_leaves(l, a, b, &way)) {
        put_line(d, from, piece(l, from, way, 1), width, class);
        put_title(d, p->a, p->b, &p->sum);
        put_line(d, to, piece(l, to, way, -1), width, class);
    } else {
        put_line(d, from, to, width, class);
    }
    put_title(d, p->a, p->b, &p->sum);
}

static void put_edges(struct drawing *d, uint32_t number, const struct arrangement *l, const struct graph *h,
                      const uint32_t *image)
{
    const struct survey *s = d->survey;
    const struct topology *t = &s->components.items[number].topology;
    svg_group(&d->svg, "class", "edges");
    for (size_t i = 0; i < s->traffic->pairs.n; i++) {
        const struct traffic_pair *p = &s->traffic->pairs.items[i];
        if (s->component_of[p->a] != number || !graph_has_edge(&s->graph, p->a, p->b))
            continue;
        const uint32_t a = image[s->node_of[p->a]], b = image[s->node_of[p->b]];
        if (a != IMAGE_NONE && b != IMAGE_NONE)
            put_edge(d, l, image, p, !t->found || graph_has_edge(h, a, b));
    }
    for (size_t i = 0; i < t->missing.n; i++) {
        put_line(d, point_of(d, l, image[t->missing.items[i].a]),
                 point_of(d, l, image[t->missing.items[i].b]), 1.5, "missing");
        svg_close_all(&d->svg);
    }
    svg_group_end(&d->svg);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void put_node_title(struct drawing *d, const struct survey_component *p, uint32_t node)
{
    const struct topology *t = &p->topology;
    uint32_t at[LATTICE_DIMS];
    svg_open(&d->svg, "title");
    struct bytes *text = svg_text(&d->svg);
    text_printf(text, "rank %u", traffic_rank(d->survey->traffic, p->ranks[node]));
    if (t->found)
        candidate_coordinates(&t->best, t->image[node], at);
    for (unsigned i = 0; t->found && i < t->best.n_dims; i++) {
        text_put(text, i == 0 ? ": " : ", ");
        candidate_put_axis(i, text);
        text_printf(text, " = %u", at[i]);
    }
    text_printf(text, "; %.10g%s", value_of(d, p->ranks[node]), d->subject->unit);
    svg_close(&d->svg);
}

static void put_nodes(struct drawing *d, const struct survey_component *p, const struct arrangement *l,
                      const uint32_t *image)
{
    const double radius = l->step * 0.32 > 13 ? 13 : l->step * 0.32;
    svg_group(&d->svg, "class", "node");
    for (uint32_t node = 0; node < p->n_ranks; node++) {
        if (image[node] == IMAGE_NONE)
            continue;
        const struct arrangement_point at = point_of(d, l, image[node]);
        const double fraction = fraction_of(d, value_of(d, p->ranks[node]));
        svg_open(&d->svg, "circle");
        svg_numbers(&d->svg, "cx cy r", at.x, at.y, radius);
        heat_colour_put(svg_value(&d->svg, "fill"), fraction);
        put_node_title(d, p, node);
        svg_close_all(&d->svg);
        if (radius < 7 || p->n_ranks > NUMBERED_MOST)
            continue;
        svg_label(&d->svg, at.x, at.y + 4, NULL);
        svg_attribute(&d->svg, "pointer-events", "none");
        svg_attribute(&d->svg, "fill", heat_colour_is_dark(fraction) ? "#fff" : "#000");
        text_uint(svg_text(&d->svg), traffic_rank(d->survey->traffic, p->ranks[node]));
        svg_close_all(&d->svg);
    }
    svg_group_end(&d->svg);
}

/* ---- components ------------------------------------------------------------------------------ */

static enum refrain_status put_caption(struct drawing *d, const struct survey_component *p)
{
    const struct topology *t = &p->topology;
    svg_label(&d->svg, d->x, d->y, NULL);
    struct bytes *text = svg_text(&d->svg);
    topology_put_name(t, text);
    struct bytes rule = {0};
    bool affine = false;
    const enum refrain_status status = survey_put_rule(d->survey, p, &rule, &affine);
    if (affine)
        text_printf(text, ": %.*s", (int)rule.n, (const char *)rule.data);
    bytes_free(&rule);
    svg_close_all(&d->svg);
    return status;
}

static enum refrain_status put_part(struct drawing *d, uint32_t number, double *width)
{
    const struct survey_component *p = &d->survey->components.items[number];
    const struct topology *t = &p->topology;
    struct arrangement l = {0};
    struct graph h = {0};
    enum refrain_status status = arrangement_create(&l, t->found ? &t->best : NULL,
                                                    t->found ? t->best.n : p->n_ranks, &d->subject->view);
    if (status == REFRAIN_OK && t->found)
        status = candidate_graph(&t->best, &h);
    if (status == REFRAIN_OK) {
        /* Without a pattern, `image` gives each node the place of its own number. */
        status = put_caption(d, p);
        d->x += 0.6 * l.step;
        d->y += GAP / 2.0 + 0.6 * l.step;
        put_edges(d, number, &l, &h, t->image);
        put_nodes(d, p, &l, t->image);
        d->x -= 0.6 * l.step;
        d->y += l.height + 0.6 * l.step + GAP;
        *width = l.width + 1.2 * l.step > *width ? l.width + 1.2 * l.step : *width;
    }
    graph_free(&h);
    arrangement_free(&l);
    return status;
}

/* ---- scale and heading ----------------------------------------------------------------------- */

static void put_scale(struct drawing *d, double x)
{
    if (d->survey->components.n == 0)
        return;
    for (unsigned level = 0; level < LEVELS; level++) {
        const double height = (double)SCALE_HEIGHT / LEVELS;
        svg_open(&d->svg, "rect");
        svg_numbers(&d->svg, "x y width height", x, TOP + SCALE_HEIGHT - (level + 1) * height, SCALE_WIDTH,
                    height);
        svg_attribute(&d->svg, "shape-rendering", "crispEdges");
        heat_colour_put(svg_value(&d->svg, "fill"), d->most > d->least ? level / (LEVELS - 1.0) : 0);
        svg_close_all(&d->svg);
    }
    for (int end = 0; end < (d->most > d->least ? 2 : 1); end++) {
        svg_label(&d->svg, x + SCALE_WIDTH + 6, end ? TOP + 10 : TOP + SCALE_HEIGHT, NULL);
        text_printf(svg_text(&d->svg), "%.10g%s", end ? d->most : d->least, d->subject->unit);
        svg_close_all(&d->svg);
    }
    svg_label(&d->svg, x, TOP + SCALE_HEIGHT + 20, NULL);
    text_put(svg_text(&d->svg), d->subject->what);
    svg_close_all(&d->svg);
}

static void put_heading(struct drawing *d)
{
    const struct survey *s = d->survey;
    const struct traffic *t = s->traffic;
    svg_label(&d->svg, MARGIN, 24, "title");
    if (d->subject->title)
        text_put(svg_text(&d->svg), d->subject->title);
    else
        text_printf(svg_text(&d->svg), "Topology of %s", d->subject->trace);
    svg_close_all(&d->svg);
    svg_label(&d->svg, MARGIN, 42, NULL);
    struct bytes *text = svg_text(&d->svg);
    text_printf(text, "%u ranks; along it ", t->n_ranks);
    topology_put_shares(&s->inside, &t->all, text);
    svg_close_all(&d->svg);
    svg_label(&d->svg, MARGIN, 58, NULL);
    text = svg_text(&d->svg);
    if (s->n_weak > 0)
        text_printf(text, "%zu weak pairs are left out. ", s->n_weak);
    if (s->components.n > COMPONENTS_MOST)
        text_printf(text, "%zu more components are not drawn.", s->components.n - COMPONENTS_MOST);
    svg_close_all(&d->svg);
}

static void find_extremes(struct drawing *d)
{
    const struct traffic *t = d->survey->traffic;
    bool first = true;
    for (uint32_t rank = 0; rank < t->n_ranks; rank++) {
        if (d->survey->component_of[rank] == UINT32_MAX)
            continue;
        const double value = value_of(d, rank);
        d->least = first || value < d->least ? value : d->least;
        d->most = first || value > d->most ? value : d->most;
        first = false;
    }
    /* Small differences must not get the most different colours. */
    if (d->most - d->least < d->most / 10)
        d->least = d->most - d->most / 10;
    d->heaviest = 1;
    for (size_t i = 0; i < t->pairs.n; i++) {
        const uint64_t weight = traffic_weight(t, &t->pairs.items[i].sum, d->subject->choice.by_messages);
        d->heaviest = weight > d->heaviest ? weight : d->heaviest;
    }
}

enum refrain_status topology_put_svg(const struct survey *s, const struct topology_subject *subject,
                                     struct output *out)
{
    struct bytes body = {0};
    struct drawing d = {.survey = s, .subject = subject, .svg = {.out = &body}, .x = MARGIN, .y = TOP};
    double width = 0;
    enum refrain_status status = REFRAIN_OK;
    find_extremes(&d);
    for (uint32_t i = 0; i < s->components.n && i < COMPONENTS_MOST && status == REFRAIN_OK; i++)
        status = put_part(&d, i, &width);
    width = MARGIN + width + GAP < WIDTH_LEAST ? WIDTH_LEAST : MARGIN + width + GAP;
    put_scale(&d, width);
    const double least = TOP + SCALE_HEIGHT + GAP, height = d.y > least ? d.y : least;
    d.svg.out = &out->text;
    svg_start(&d.svg, &(struct svg_head){
                          .width = width + SCALE_WIDTH + SCALE_TEXT, .height = height, .style = style});
    put_heading(&d);
    bytes_put(&out->text, body.data, body.n);
    svg_end(&d.svg);
    out->text.failed = out->text.failed || body.failed;
    bytes_free(&body);
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}
