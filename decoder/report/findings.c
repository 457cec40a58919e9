/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include "decoder/trace/endings.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "decoder/waits/report/waits_text.h"
#include "report_sections.h"

#include <inttypes.h>
#include <string.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void findings_put_summary(const struct report *r, struct bytes *out)
{
    const struct trace *t = &r->reader->trace;
    const struct costs *c = &r->costs;
    const uint32_t ranks = t->n_ranks > 0 ? t->n_ranks : 1;
    text_printf(out, "%" PRIu32 " rank%s on %zu node%s", t->n_ranks, plural(t->n_ranks), r->hosts.names.n,
                plural(r->hosts.names.n));
    if (!c->timed) {
        text_printf(out, " made %" PRIu64 " calls.", c->calls);
        return;
    }
    text_put(out, " ran ");
    time_put(out, (c->run - c->init) / ranks);
    text_printf(out, ", of which %.1f %% was spent in MPI", 100 * costs_share(c, c->mpi - c->init));
    if (r->timed)
        text_printf(out, "; %.1f %% was waiting", 100 * costs_share(c, report_waiting(r)));
    text_put(out, ". MPI_Init, which is apart, took ");
    time_put(out, c->init / ranks);
    text_put(out, ".");
}

/* From `at` on, as long as there are such characters. */
static size_t skip(const struct bytes *text, size_t at, const char *characters)
{
    while (at < text->n && text->data[at] != '\0' && strchr(characters, text->data[at]))
        at++;
    return at;
}

static bool begins(const struct bytes *text, size_t at, const char *words)
{
    const size_t n = strlen(words);
    return at + n <= text->n && memcmp(text->data + at, words, n) == 0;
}

/* Of the page of `refrain waits`: behind its first line are causes, each behind a number, and then, on a line of its own, why:
 *
 *      1  292.1 ms  wait at N x N in …
 *                   because rank 1 computes … */
void findings_put_waits(const struct report *r, size_t most, const char *between, struct bytes *out)
{
    const struct waits_view view = {
        .symbols = &r->symbols, .metric = METRIC_NONE, .top = most, .delays = &r->critical.path.delays};
    struct bytes page = {0};
    size_t causes = 0;
    if (!r->timed)
        return;
    waits_put_page(&r->waits, &view, &page);
    for (size_t line = 0, at = 0; at < page.n; line++) {
        const uint8_t *newline = memchr(page.data + at, '\n', page.n - at);
        const size_t end = newline ? (size_t)(newline - page.data) : page.n;
        const size_t number = skip(&page, at, " "), behind = skip(&page, number, "0123456789");
        const bool is_cause = number <= at + 1 && behind > number;
        if (line > 0 && !is_cause && !begins(&page, number, "because "))
            break;
        if (line > 0) {
            const size_t words = is_cause ? skip(&page, behind, " ") : number;
            text_put(out, !is_cause ? between : causes++ > 0 ? "\n" : "");
            bytes_put(out, page.data + words, end - words);
        }
        at = end + 1;
    }
    text_put(out, causes > 0 ? "\n" : "");
    out->failed = out->failed || page.failed;
    bytes_free(&page);
}

static enum refrain_status put_endings(const struct report *r, struct bytes *out)
{
    struct endings endings;
    if (!endings_has(&r->reader->trace))
        return REFRAIN_OK;
    const enum refrain_status status = endings_read(&endings, r->reader);
    if (status != REFRAIN_OK)
        return status;
    for (size_t i = 0; i < endings.items.n; i++) {
        text_put(out, i == 0 ? "The trace was put together from parts: " : "; ");
        text_put(out, "of ranks ");
        ending_put_ranks(&endings.items.items[i], out);
        text_put(out, ", which ended by ");
        ending_put(&endings.items.items[i], out);
    }
    text_put(out, endings.items.n > 0 ? ".\n" : "");
    endings_free(&endings);
    return REFRAIN_OK;
}

static bool has_lines(const struct report *r)
{
    size_t i = 0;
    while (i < r->paths.items.n && r->paths.items.items[i].line == 0)
        i++;
    return i < r->paths.items.n;
}

enum refrain_status findings_put_warnings(const struct report *r, struct bytes *out)
{
    const char *unrecorded = report_meta(r, META_UNRECORDED);
    const struct waits *w = &r->waits;
    const enum refrain_status status = put_endings(r, out);
    if (*unrecorded)
        text_printf(out, "%s calls were left out when the trace was recorded.\n", unrecorded);
    if (r->reader->n_worlds > 1)
        text_printf(out, "The file has %" PRIu32 " worlds; this is one of them (--world).\n",
                    r->reader->n_worlds);
    if (!has_lines(r))
        text_put(
            out,
            "No lines of the source are known: compile the program with -g, and keep it where it was.\n");
    if (!r->timed)
        text_printf(out, "%s\n", report_how_to_time);
    if (r->timed && w->cut) {
        text_put(out, "Waiting was looked at until ");
        time_put(out, w->search.to);
        text_put(out, ": later calls have no times of their own (record with --time-budget none).\n");
    }
    if (r->timed && w->bound > 0) {
        text_put(out, "Times of calls are within ");
        time_put(out, w->bound);
        text_put(out, ".\n");
    }
    if (r->timed && w->search.early > w->search.slack) {
        text_put(out, "By the clocks a message arrived ");
        time_put(out, w->search.early);
        text_put(out, " before it was sent.\n");
    }
    return status;
}
