/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

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

/* "4 ranks with 2 threads each on 1 node"; "Cut off, 3 of 4 ranks recorded: 3 ranks on 1 node" */
static void put_who(const struct report *r, struct bytes *out)
{
    const uint32_t all = r->reader->trace.n_ranks, ranks = r->costs.ranks, threads = r->costs.threads;
    const size_t nodes = report_nodes(r);
    if (ranks < all)
        text_printf(out, "Cut off, %" PRIu32 " of %" PRIu32 " ranks recorded: ", ranks, all);
    else if (report_is_cut_off(r))
        text_put(out, "Cut off: ");
    text_printf(out, "%" PRIu32 " rank%s", ranks, plural(ranks));
    if (threads > ranks && threads % ranks == 0)
        text_printf(out, " with %" PRIu32 " threads%s", threads / ranks, ranks > 1 ? " each" : "");
    else if (threads > ranks)
        text_printf(out, " with %" PRIu32 " threads", threads);
    text_printf(out, " on %zu node%s", nodes, plural(nodes));
}

void findings_put_summary(const struct report *r, struct bytes *out)
{
    const struct costs *c = &r->costs;
    put_who(r, out);
    if (!c->timed) {
        text_printf(out, " made %" PRIu64 " calls.", c->calls);
        return;
    }
    text_put(out, " ran ");
    time_put(out, report_run(r));
    text_put(out, r->timed && r->waits.cut ? " up to where times of calls end" : "");
    text_printf(out, ", of which %.1f %% was spent in MPI", 100 * costs_share(c, c->mpi - c->init));
    if (r->timed)
        text_printf(out, "; %.1f %% was waiting", 100 * costs_share(c, report_waiting(r)));
    if (waits_have_unreturned(&r->waits))
        text_printf(out, "; %.1f %% was in calls that did not return",
                    100 * costs_share(c, r->waits.report.unreturned));
    text_put(out, ". MPI_Init, which is apart, took ");
    time_put(out, c->init / c->ranks);
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

/* Of the page of `refrain waits`: behind its first lines are causes, each behind a number, and then, on a line of its own, why:
 *
 *      1  292.1 ms  62.1 %  wait at N x N in …
 *                   because rank 1 computes … */
void findings_put_waits(const struct report *r, size_t most, const char *between, struct bytes *out)
{
    const struct waits_view view = {.symbols = &r->symbols,
                                    .topology = &r->topology,
                                    .metric = METRIC_NONE,
                                    .top = most,
                                    .delays = &r->critical.path.delays};
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
        const bool is_head = line == 0 || begins(&page, at, "Of all ");
        if (!is_head && !is_cause && !begins(&page, number, "because "))
            break;
        if (!is_head) {
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

void findings_put_notes(const struct report *r, struct bytes *out)
{
    const struct waits_view view = {.symbols = &r->symbols, .topology = &r->topology, .metric = METRIC_NONE};
    if (!r->timed)
        return;
    waits_put_imbalance(&r->waits, &view, out);
    waits_put_refills(&r->waits, &view, out);
}

/* "rank 2 ended by MPI_Abort with error code 3" */
static void put_ending(const struct ending *e, struct bytes *out)
{
    text_printf(out, "rank%s ", plural(e->ranks.n));
    ending_put_ranks(e, out);
    switch (e->kind) {
    case ENDING_MISSING:
        text_put(out, " left no part");
        break;
    case ENDING_CHECKPOINT:
        text_put(out, e->ranks.n == 1 ? " is" : " are");
        text_put(out, " there up to a checkpoint; it is not known how it ended");
        break;
    case ENDING_TOLD:
        text_put(out, " ended by ");
        ending_put(e, out);
        break;
    }
}

static void put_endings(const struct report *r, struct bytes *out)
{
    const struct endings *all = &r->endings;
    for (size_t i = 0; i < all->items.n; i++) {
        text_put(out, i == 0 ? "The trace was put together from parts: " : "; ");
        put_ending(&all->items.items[i], out);
    }
    text_put(out, all->items.n > 0 ? ".\n" : "");
}

static bool has_lines(const struct report *r)
{
    size_t i = 0;
    while (i < r->paths.items.n && r->paths.items.items[i].line == 0)
        i++;
    return i < r->paths.items.n;
}

void findings_put_warnings(const struct report *r, struct bytes *out)
{
    const char *unrecorded = report_meta(r, META_UNRECORDED);
    const struct waits *w = &r->waits;
    put_endings(r, out);
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
    if (r->timed && w->search.early > w->search.slack) {
        text_put(out, "By the clocks a message arrived ");
        time_put(out, w->search.early);
        text_put(out, " before it was sent.\n");
    }
}
