/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic by direction: a line for each direction, or for each direction and call site.
 *
 *     direction  messages  bytes     a message  mean     of the run  where
 *     x+1        12000     50688000  4224       1.23 us       2.1 %  MPI_Send at exchange (halo.c:31) */
#include "decoder/trace/site.h"
#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "topology_text.h"

/* The table has at most this many lines. */
#define LINES_MOST 40

static const char *text_of(struct bytes *text)
{
    bytes_put_u8(text, '\0');
    return text->failed ? "" : (const char *)text->data;
}

static double bytes_each(const struct displacement *d)
{
    return d->sum.messages > 0 ? (double)d->sum.bytes / (double)d->sum.messages : 0;
}

static void put_times(struct emitter *e, const struct directions *d, uint32_t site)
{
    struct bytes mean = {0}, share = {0};
    const struct site_times *times = site == MATRIX_NO_SITE ? NULL : &d->times[site];
    if (!times || !times->known) {
        emitter_cell_none(e);
        emitter_cell_none(e);
        return;
    }
    text_time(&mean, times->mean);
    text_printf(&share, "%.2g %%", 100 * times->share);
    emitter_cell_text(e, text_of(&mean));
    emitter_cell_text(e, text_of(&share));
    bytes_free(&share);
    bytes_free(&mean);
}

static void put_line(struct emitter *e, const struct topology_subject *subject,
                     const struct displacement *one)
{
    const struct directions *d = subject->directions;
    struct bytes text = {0};
    displacement_put_direction(one, d->n_dims, &text);
    emitter_cell_text(e, text_of(&text));
    emitter_cell_uint(e, one->sum.messages);
    emitter_cell_uint(e, one->sum.bytes);
    if (d->sizes)
        emitter_cell_real(e, bytes_each(one));
    if (d->times)
        put_times(e, d, one->site);
    if (d->by_site) {
        text.n = 0;
        site_put_call(subject->reader, d->symbols, one->site, &text);
        emitter_cell_text(e, text_of(&text));
    }
    bytes_free(&text);
}

enum refrain_status topology_put_directions(const struct topology_subject *subject, struct output *out)
{
    const struct directions *d = subject->directions;
    struct emitter_column columns[7] = {{"direction", "direction", true, 0, 0},
                                        {"messages", "messages", false, 0, 0},
                                        {"bytes", "bytes", false, 0, 0}};
    size_t n = 3;
    if (d->sizes)
        columns[n++] = (struct emitter_column){"each", "a message", false, 1, 1};
    if (d->times) {
        columns[n++] = (struct emitter_column){"mean", "mean", false, 0, 0};
        columns[n++] = (struct emitter_column){"share", "of the run", false, 0, 0};
    }
    if (d->by_site)
        columns[n++] = (struct emitter_column){"where", "where", true, 0, 0};
    struct emitter e = emitter_open(out, false, 0);
    text_putc(&out->text, '\n');
    emitter_table(&e, "directions", columns, n);
    for (size_t i = 0; i < d->sums.items.n && i < LINES_MOST; i++)
        put_line(&e, subject, &d->sums.items.items[i]);
    emitter_table_end(&e);
    const enum refrain_status status = emitter_close(&e);
    if (d->sums.items.n > LINES_MOST)
        text_printf(&out->text, "and %zu more\n", d->sums.items.n - LINES_MOST);
    return status == REFRAIN_OK && out->text.failed ? REFRAIN_ERR_MEMORY : status;
}

void topology_put_directions_json(const struct topology_subject *subject, struct json *j)
{
    const struct directions *d = subject->directions;
    json_array(j, "directions");
    for (size_t i = 0; i < d->sums.items.n; i++) {
        const struct displacement *one = &d->sums.items.items[i];
        json_object(j, NULL);
        json_array(j, "steps");
        for (unsigned k = 0; k < d->n_dims; k++)
            json_int(j, NULL, one->steps[k]);
        json_end(j);
        json_uint(j, "messages", one->sum.messages);
        json_uint(j, "bytes", one->sum.bytes);
        if (d->times && one->site != MATRIX_NO_SITE && d->times[one->site].known) {
            json_real(j, "mean_seconds", d->times[one->site].mean / 1e9);
            json_real(j, "share", d->times[one->site].share);
        }
        if (d->by_site && one->site != MATRIX_NO_SITE) {
            json_string(j, "function", reader_function(subject->reader, one->site));
            site_put_json(&subject->reader->trace, d->symbols, one->site, j, "site");
        }
        json_end(j);
    }
    json_end(j);
}
