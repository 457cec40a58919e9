/* SPDX-License-Identifier: BSD-3-Clause */
#include "cube_xml.h"

#include "decoder/util/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The two versions name the levels of the system tree differently.
 *
 *     CUBE 3     machine, node, process, thread
 *     CUBE 4     systemtreenode (class machine, node), locationgroup (type process),
 *                location (type thread) */
struct level {
    const char *element[2]; /* of version 3, of version 4 */
    const char *word[2];    /* version 4: the child element that names the kind, and its text */
};

enum { MACHINE, NODE, PROCESS, THREAD };

static const struct level levels[] = {
    [MACHINE] = {{"machine", "systemtreenode"}, {"class", "machine"}},
    [NODE] = {{"node", "systemtreenode"}, {"class", "node"}},
    [PROCESS] = {{"process", "locationgroup"}, {"type", "process"}},
    [THREAD] = {{"thread", "location"}, {"type", "thread"}},
};

static void put_element(const char *name, const char *text, struct bytes *out)
{
    text_printf(out, "<%s>", name);
    text_put_markup(out, text, strlen(text));
    text_printf(out, "</%s>\n", name);
}

static void put_attribute(const char *name, const char *value, struct bytes *out)
{
    text_printf(out, " %s=\"", name);
    text_put_markup(out, value, strlen(value));
    text_putc(out, '"');
}

/* ---- metrics and program --------------------------------------------------------------------- */

static void put_metric(const struct cube *c, size_t metric, enum cube_version version, struct bytes *out)
{
    const struct cube_metric *m = &c->metrics[metric];
    const char *const types[2][2] = {{"FLOAT", "INTEGER"}, {"DOUBLE", "UINT64"}};
    text_printf(out, "<metric id=\"%zu\"%s>\n", metric, version == CUBE_4 ? " type=\"EXCLUSIVE\"" : "");
    put_element("disp_name", m->title, out);
    put_element("uniq_name", m->name, out);
    put_element("dtype", types[version == CUBE_4][m->is_count], out);
    put_element("uom", m->unit, out);
    put_element("url", "", out);
    put_element("descr", m->description, out);
    for (size_t child = metric + 1; child < c->n_metrics; child++)
        if (c->metrics[child].parent == metric)
            put_metric(c, child, version, out);
    text_put(out, "</metric>\n");
}

static void put_metrics(const struct cube *c, enum cube_version version, struct bytes *out)
{
    text_put(out, "<metrics>\n");
    for (size_t metric = 0; metric < c->n_metrics; metric++)
        if (c->metrics[metric].parent == CUBE_NONE)
            put_metric(c, metric, version, out);
    text_put(out, "</metrics>\n");
}

static void put_region(const struct cube *c, size_t region, struct bytes *out)
{
    text_printf(out, "<region id=\"%zu\"", region);
    put_attribute("mod", c->regions[region].file, out);
    text_put(out, " begin=\"-1\" end=\"-1\">\n");
    put_element("name", c->regions[region].name, out);
    put_element("url", "", out);
    put_element("descr", "", out);
    text_put(out, "</region>\n");
}

/* A path stays open until a path comes that is not below it. */
static void put_call_paths(const struct cube *c, struct bytes *out)
{
    uint32_t open = CUBE_NONE;
    for (uint32_t path = 0; path < c->n_call_paths; path++) {
        const struct cube_call_path *p = &c->call_paths[path];
        for (; open != p->parent; open = c->call_paths[open].parent)
            text_put(out, "</cnode>\n");
        text_printf(out, "<cnode id=\"%u\" calleeId=\"%u\"", path, p->region);
        if (p->line > 0) {
            text_printf(out, " line=\"%u\"", p->line);
            put_attribute("mod", p->file, out);
        }
        text_put(out, ">\n");
        open = path;
    }
    for (; open != CUBE_NONE; open = c->call_paths[open].parent)
        text_put(out, "</cnode>\n");
}

static void put_program(const struct cube *c, struct bytes *out)
{
    text_put(out, "<program>\n");
    for (size_t region = 0; region < c->n_regions; region++)
        put_region(c, region, out);
    put_call_paths(c, out);
    text_put(out, "</program>\n");
}

/* ---- the system ------------------------------------------------------------------------------ */

/* `rank` is CUBE_NONE for levels above processes. */
static void begin(enum cube_version version, unsigned level, size_t id, const char *name, uint32_t rank,
                  struct bytes *out)
{
    const struct level *l = &levels[level];
    text_printf(out, "<%s Id=\"%zu\">\n", l->element[version == CUBE_4], id);
    put_element("name", name, out);
    if (rank != CUBE_NONE)
        text_printf(out, "<rank>%u</rank>\n", rank);
    if (version == CUBE_4)
        put_element(l->word[0], l->word[1], out);
    else if (level == MACHINE)
        put_element("descr", "", out);
}

static void end(enum cube_version version, unsigned level, struct bytes *out)
{
    text_printf(out, "</%s>\n", levels[level].element[version == CUBE_4]);
}

/* Writes the locations of one process, from `first` on. Returns the first location of the next
 * process. */
static size_t put_process(const struct cube *c, enum cube_version version, size_t first, size_t id,
                          struct bytes *out)
{
    char name[40];
    const uint32_t rank = c->locations[first].rank;
    size_t at = first;
    snprintf(name, sizeof name, "rank %u", rank);
    begin(version, PROCESS, id, name, rank, out);
    for (; at < c->n_locations && c->locations[at].rank == rank; at++) {
        snprintf(name, sizeof name, "thread %u", c->locations[at].thread);
        begin(version, THREAD, at, name, c->locations[at].thread, out);
        end(version, THREAD, out);
    }
    end(version, PROCESS, out);
    return at;
}

static void put_topology(const struct cube *c, const struct cube_topology *t, enum cube_version version,
                         struct bytes *out)
{
    text_put(out, "<cart");
    put_attribute("name", t->name, out); /* readers of CUBE 3 want the name first */
    text_printf(out, " ndims=\"%u\">\n", t->n_dims);
    for (unsigned d = 0; d < t->n_dims; d++)
        text_printf(out, "<dim size=\"%u\" periodic=\"%s\"/>\n", t->sizes[d],
                    t->is_periodic[d] ? "true" : "false");
    for (size_t l = 0; l < c->n_locations; l++) {
        const uint32_t *at = t->coordinates + l * t->n_dims;
        if (at[0] == CUBE_NONE)
            continue;
        text_printf(out, "<coord %s=\"%zu\">", version == CUBE_4 ? "locId" : "thrdId", l);
        for (unsigned d = 0; d < t->n_dims; d++)
            text_printf(out, d > 0 ? " %u" : "%u", at[d]);
        text_put(out, "</coord>\n");
    }
    text_put(out, "</cart>\n");
}

static void put_topologies(const struct cube *c, enum cube_version version, struct bytes *out)
{
    if (c->n_topologies == 0)
        return;
    text_put(out, "<topologies>\n");
    for (size_t t = 0; t < c->n_topologies; t++)
        put_topology(c, &c->topologies[t], version, out);
    text_put(out, "</topologies>\n");
}

static void put_system(const struct cube *c, enum cube_version version, struct bytes *out)
{
    size_t at = 0, process = 0;
    text_put(out, "<system>\n");
    begin(version, MACHINE, 0, c->machine, CUBE_NONE, out);
    for (size_t node = 0; node < c->n_nodes; node++) {
        begin(version, NODE, version == CUBE_4 ? node + 1 : node, c->nodes[node], CUBE_NONE, out);
        while (at < c->n_locations && c->locations[at].node == node)
            at = put_process(c, version, at, process++, out);
        end(version, NODE, out);
    }
    end(version, MACHINE, out);
    put_topologies(c, version, out);
    text_put(out, "</system>\n");
}

/* Replaces each non-ASCII character by one question mark: readers of CUBE 3 refuse such
 * characters. */
static void make_ascii(struct bytes *out, size_t from)
{
    size_t to = from;
    for (size_t at = from; at < out->n; at++) {
        const uint8_t byte = out->data[at];
        if (byte < 0x80 || byte >= 0xC0) /* not a continuation byte */
            out->data[to++] = byte < 0x80 ? byte : '?';
    }
    out->n = to;
}

void cube_put_head(const struct cube *c, enum cube_version version, struct bytes *out)
{
    const size_t start = out->n;
    text_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_printf(out, "<cube version=\"%s\">\n", version == CUBE_4 ? "4.4" : "3.0");
    text_put(out, "<attr key=\"Creator\" value=\"refrain\"/>\n");
    put_metrics(c, version, out);
    put_program(c, out);
    put_system(c, version, out);
    if (version == CUBE_3)
        make_ascii(out, start);
}

void cube_put_row(const struct cube *c, size_t call_path, const double *values, struct bytes *out)
{
    assert(call_path < c->n_call_paths);
    text_printf(out, "<row cnodeId=\"%zu\">\n", call_path);
    for (size_t l = 0; l < c->n_locations; l++) {
        text_real(out, values[l]);
        text_putc(out, '\n');
    }
    text_put(out, "</row>\n");
}
