/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_text.h"

#include "decoder/topology/survey/topology_name.h"
#include "decoder/trace/site.h"
#include "decoder/util/emitter.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "findings.h"
#include "report_words.h"

#include <inttypes.h>
#include <string.h>

enum { ROWS = 8, SITE_WIDTH = 48 };

/* Returns the length of " (halo.c:31)" or "+0x1f3c" at the end of the words; 0 if they do not end like that. */
static size_t line_length(const struct bytes *words)
{
    const char *begin = words->n == 0                      ? NULL
                        : words->data[words->n - 1] == ')' ? memrchr(words->data, '(', words->n)
                                                           : memrchr(words->data, '+', words->n);
    if (begin && *begin == '(')
        begin = begin > (const char *)words->data && begin[-1] == ' ' ? begin - 1 : NULL;
    return begin ? words->n - (size_t)(begin - (const char *)words->data) : 0;
}

/* If words are too long, "…" replaces the end of the name; the line of the source, or the
 * offset, stays, and so do the callers that tell the site apart. */
static void put_words(struct emitter *e, const struct bytes *words, const struct bytes *callers)
{
    struct bytes cell = {0};
    const size_t line = line_length(words);
    size_t name = words->n - line;
    if (words->n > SITE_WIDTH) {
        name = line < SITE_WIDTH ? SITE_WIDTH - 1 - line : 0;
        while (name > 0 && (words->data[name] & 0xc0) == 0x80)
            name--;
    }
    bytes_put(&cell, words->data, name);
    text_put(&cell, name + line < words->n ? "…" : "");
    bytes_put(&cell, words->data + words->n - line, line);
    bytes_put(&cell, callers->data, callers->n);
    bytes_put_u8(&cell, '\0');
    emitter_cell_text(e, words->failed || callers->failed || cell.failed ? "?" : (const char *)cell.data);
    bytes_free(&cell);
}

/* Would the share be printed as 0.0 %? */
static bool is_negligible(const struct report *r, const struct cost *c)
{
    return !c->is_init && costs_share(&r->costs, c->time) < 0.0005;
}

/* Writes "1.630 ms"; with a single rank "1.630 ms (3)". */
static void put_time(struct emitter *e, bool known, uint64_t time, const uint32_t *rank)
{
    emitter_cell_open(e);
    if (known)
        time_put(&e->cells, time);
    else
        text_put(&e->cells, "-");
    if (known && rank)
        text_printf(&e->cells, " (%" PRIu32 ")", *rank);
    emitter_cell_close(e);
}

static void put_costs(struct emitter *e, const struct report *r)
{
    static const struct emitter_column columns[] = {
        {"where", "where time goes", true, 0, 0},
        {"share", "% of run", false, 100, 1},
        {"mean", "mean", false, 0, 0},
        {"least", "min (rank)", false, 0, 0},
        {"most", "max (rank)", false, 0, 0},
        {"calls", "calls", false, 0, 0},
    };
    const struct trace *t = &r->reader->trace;
    struct bytes words = {0}, callers = {0};
    double rest_share = 0;
    size_t rest = 0;
    emitter_table(e, "costs", columns, sizeof columns / sizeof columns[0]);
    size_t rows = 0;
    for (size_t i = 0; i < r->costs.items.n; i++) {
        const struct cost *c = &r->costs.items.items[i];
        /* MPI_Init is apart, and always shown. */
        if (is_negligible(r, c) || (rows == ROWS && !c->is_init)) {
            rest++;
            rest_share += costs_share(&r->costs, c->time);
            continue;
        }
        rows += !c->is_init;
        text_put(&words, costs_name(r->reader, c));
        if (costs_has_site(c)) {
            text_put(&words, " ");
            site_put_place(t, &r->symbols, c->site, &words);
            site_put_callers(t, &r->symbols, c->site, &callers);
        }
        put_words(e, &words, &callers);
        words.n = callers.n = 0;
        if (c->is_init)
            emitter_cell_none(e);
        else
            emitter_cell_real(e, costs_share(&r->costs, c->time));
        put_time(e, c->timed, costs_mean(&r->costs, c), NULL);
        put_time(e, c->by_rank, c->least, &c->least_rank);
        put_time(e, c->by_rank, c->most, &c->most_rank);
        if (costs_has_site(c))
            emitter_cell_uint(e, c->calls);
        else
            emitter_cell_none(e);
    }
    emitter_table_end(e);
    if (rest > 0)
        text_printf(&e->out->text, "and %zu more: %.1f %%\n", rest, 100 * rest_share);
    bytes_free(&words);
    bytes_free(&callers);
}

static enum refrain_status put_topology(const struct report *r, struct bytes *out)
{
    const struct traffic_sum *all = &r->traffic.all;
    enum refrain_status status = REFRAIN_OK;
    text_printf(out, "\n%" PRIu64 " %s, ", all->messages, all->messages == 1 ? "message" : "messages");
    text_size(out, all->bytes);
    report_put_others(r, "; ", out);
    if (r->survey.components.n > 0) {
        text_put(out, "; the ranks form: ");
        status = topology_put_summary(&r->survey, out);
    }
    text_putc(out, '\n');
    return status;
}

static void put_notes(const struct report *r, struct bytes *out)
{
    const size_t before = out->n;
    text_putc(out, '\n');
    findings_put_notes(r, out);
    out->n = out->n == before + 1 ? before : out->n;
}

/* Writes the main reasons, and below them what is to be known of reasons. */
static void put_why(const struct report *r, struct bytes *out)
{
    const size_t before = out->n;
    struct bytes notices = {0};
    findings_put_main(r, "\n", WAITS_MAIN, out);
    notices_put(&r->notices, true, &notices);
    text_put(out, notices.n > 0 && out->n == before ? "\n" : "");
    bytes_put(out, notices.data, notices.n);
    out->failed = out->failed || notices.failed;
    bytes_free(&notices);
}

enum refrain_status report_put_text(const struct report *r, struct output *out)
{
    struct bytes *text = &out->text;
    struct efficiency efficiency;
    const char *command = report_meta(r, "command");
    text_put_name(text, *command ? command : r->file);
    text_put(text, ": ");
    findings_put_summary(r, text);
    text_putc(text, '\n');
    hosts_put_crowded(&r->hosts, text);
    notices_put(&r->notices, false, text);
    if (report_efficiency(r, &efficiency))
        efficiency_put_text(&efficiency, text);
    put_why(r, text);
    if (r->costs.timed) {
        struct emitter e = emitter_open(out, false, 0);
        text_putc(text, '\n');
        put_costs(&e, r);
        const enum refrain_status put = emitter_close(&e);
        if (put != REFRAIN_OK)
            return put;
    }
    if (r->waits.report.causes.n > 0)
        text_put(text, "\nThe most expensive waiting, of all ranks together, in per cent of all waiting:\n");
    findings_put_waits(r, "\n    ", true, text);
    put_notes(r, text);
    const enum refrain_status status = put_topology(r, text);
    findings_put_warnings(r, text);
    text_put(text, "More: refrain report -o report.html ");
    text_put_shell_word(text, r->reader->path);
    text_putc(text, '\n');
    if (r->traffic.all.messages > 0) {
        text_put(text, "Which statement sends what to whom: refrain model --sites --sizes --times ");
        text_put_shell_word(text, r->reader->path);
        text_putc(text, '\n');
    }
    return status;
}
