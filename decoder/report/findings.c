/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include "decoder/causes/reasons/delay_reason_text.h"
#include "decoder/trace/site.h"
#include "decoder/util/text.h"
#include "decoder/util/time_axis.h"
#include "report_words.h"

#include <string.h>

#include <inttypes.h>
#include <stdlib.h>

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Writes "4 ranks with 2 threads each on 1 node" or "Cut off, 3 of 4 ranks recorded: 3 ranks on 1
 * node". */
static void put_who(const struct report *r, struct bytes *out)
{
    const uint32_t all = r->reader->trace.n_ranks, ranks = r->costs.ranks, threads = r->costs.threads;
    const size_t nodes = report_nodes(r);
    if (ranks < all)
        text_printf(out, "Cut off, %" PRIu32 " of %" PRIu32 " ranks recorded: ", ranks, all);
    else if (endings_are_cut_off(&r->endings))
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
    const double absent = 1 - costs_share(c, c->computing + c->mpi);
    put_who(r, out);
    if (!c->timed) {
        text_printf(out, " made %" PRIu64 " calls.", c->calls);
        return;
    }
    text_put(out, " ran ");
    time_put(out, report_run(r));
    text_put(out, r->timed && r->waits.cut ? " up to where times of calls end" : "");
    text_printf(out, ", of which %.1f %% was spent in MPI", 100 * costs_share(c, c->mpi));
    if (r->timed)
        text_printf(out, "; %.1f %% was waiting", 100 * costs_share(c, report_waiting(r)));
    if (absent >= 0.005) /* a smaller share is not worth a remark */
        text_printf(out, "; %.1f %% was before a thread's first call%s", 100 * absent,
                    r->notices.items[NOTICE_ABSENT].time > 0 ? ", after its last, or between two threads"
                                                             : " or after its last");
    if (waits_have_unreturned(&r->waits))
        text_printf(out, "; %.1f %% was in calls that did not return",
                    100 * costs_share(c, r->waits.report.unreturned));
    text_put(out, ". MPI_Init, which is apart, took ");
    time_put(out, c->init / c->ranks);
    text_put(out, ".");
}

/* Writes the reason and the effect of removing it: lines without leading blanks. */
static void put_reason(const struct report *r, const struct waits_view *view, const struct wait_cause *c,
                       struct reasons_said *said, const char *between, struct bytes *out)
{
    struct bytes lines = {0};
    waits_put_reason(&r->waits, view, c, said, &lines);
    for (size_t at = 0, end; at < lines.n; at = end + 1) {
        const uint8_t *newline = memchr(lines.data + at, '\n', lines.n - at);
        end = newline ? (size_t)(newline - lines.data) : lines.n;
        while (at < end && lines.data[at] == ' ')
            at++;
        text_put(out, between);
        bytes_put(out, lines.data + at, end - at);
    }
    out->failed = out->failed || lines.failed;
    bytes_free(&lines);
}

struct waits_view findings_view(const struct report *r)
{
    return (struct waits_view){.symbols = &r->symbols,
                               .hosts = &r->hosts,
                               .topology = &r->topology,
                               .metric = METRIC_NONE,
                               .top = FINDINGS,
                               .delays = &r->critical.path.delays,
                               .removals = &r->removals};
}

void findings_put_waits(const struct report *r, const char *between, bool numbered, struct bytes *out)
{
    const struct waits_view view = findings_view(r);
    struct reasons_said said = {0};
    for (size_t i = 0; i < waits_shown(&r->waits, &view); i++) {
        const struct wait_cause *c = &r->waits.report.causes.items[i];
        said.finding = i + 1;
        if (numbered)
            text_printf(out, "%zu  ", i + 1);
        waits_put_cause(&r->waits, &view, c, out);
        put_reason(r, &view, c, &said, between, out);
        text_putc(out, '\n');
    }
}

void findings_put_main(const struct report *r, const char *before, const char *heading, struct bytes *out)
{
    const struct waits_view view = findings_view(r);
    waits_put_main(&r->waits, &view, before, heading, out);
}

void findings_put_notes(const struct report *r, struct bytes *out)
{
    const struct waits_view view = {.symbols = &r->symbols, .topology = &r->topology, .metric = METRIC_NONE};
    if (!r->timed)
        return;
    waits_put_imbalance(&r->waits, &view, out);
    waits_put_refills(&r->waits, &view, out);
}

void findings_put_warnings(const struct report *r, struct bytes *out)
{
    const uint64_t unrecorded = strtoull(report_meta(r, META_UNRECORDED), NULL, 10);
    const struct waits *w = &r->waits;
    endings_put(&r->endings, out);
    if (unrecorded > 0 && r->notices.items[NOTICE_RECORDING].says.n == 0)
        text_printf(out, "%" PRIu64 " call%s left out when the trace was recorded.\n", unrecorded,
                    unrecorded == 1 ? " was" : "s were");
    if (r->reader->n_worlds > 1)
        text_printf(out, "The file has %" PRIu32 " worlds; this is one of them (--world).\n",
                    r->reader->n_worlds);
    site_put_hint(&r->symbols, out);
    if (!r->timed)
        text_printf(out, "%s\n", report_how_to_time);
    if (r->timed && w->cut) {
        text_put(out, "Waiting was analyzed until ");
        time_put(out, w->search.to);
        text_put(out, ": later calls have no times of their own (record with --time-budget none).\n");
    }
    if (w->is_causal)
        text_put(
            out,
            "By the clocks a message arrived before it was sent: they were corrected for that (refrain info "
            "--causality).\n");
}
