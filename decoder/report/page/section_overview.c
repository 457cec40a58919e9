/* SPDX-License-Identifier: BSD-3-Clause */
/* The program, its system, its length, and what costs most:
 *
 *     "program":"./app 10","mpi":"Open MPI v4.1.4, …","ranks":8,"ranks_recorded":8,
 *     "threads":8,"cut_off":false,"nodes":1,"calls":…,"run_seconds":…,"init_seconds":…,
 *     "mpi_share":0.31,"absent_share":0,"waiting_share":0.12,"unreturned_share":0.2,
 *     "messages":…,"message_bytes":…,
 *     "collective_sent_bytes":…,"collective_received_bytes":…,
 *     "accesses":…,"written_bytes":…,"read_bytes":…,"shares":[{"name","share"}, …],
 *     "efficiency":{"parallel":0.6,"load_balance":0.75,"communication":0.8,"serialization":0.9, …},
 *     "phases":[{"part":"warm-up","constructs":"1-3","seconds":…,"share":0.1,"parallel":0.5, …}, …],
 *     "reasons":["58.1 %  rank 3 computes …; without that the run would take …", …],
 *     "findings":["3.5 s  late sender in …; because …", …],
 *     "notes":["Computing is uneven: …", "    …"],"warnings":["…", …],
 *     "notices":[{"about":"recording","seconds":0.2,"says":"…"}, …] */
#include "decoder/report/findings.h"
#include "report_sections.h"

/* The longest phases; sections of the run that have several come on top. */
enum { PHASES = 12 };

/* Writes a rank's time, divided into its parts. */
static void put_times(const struct report *r, struct json *j)
{
    const struct costs *c = &r->costs;
    report_json_seconds(j, "run_seconds", report_run(r));
    report_json_seconds(j, "init_seconds", c->init / c->ranks);
    json_real(j, "computation_share", costs_share(c, c->computing));
    json_real(j, "mpi_share", costs_share(c, c->mpi));
    json_real(j, "absent_share", costs_share(c, c->run - c->computing - c->mpi));
    if (r->timed)
        json_real(j, "waiting_share", costs_share(c, report_waiting(r)));
    if (waits_have_unreturned(&r->waits))
        json_real(j, "unreturned_share", costs_share(c, r->waits.report.unreturned));
}

enum refrain_status section_overview(const struct report *r, struct json *j)
{
    const struct trace *t = &r->reader->trace;
    struct efficiency efficiency;
    const struct causes_view view = {.search = &r->waits.search, .symbols = &r->symbols, .top = PHASES};
    enum refrain_status status = REFRAIN_OK;
    struct bytes text = {0};
    findings_put_summary(r, &text);
    report_json_text(j, "says", &text);
    json_string(j, "program", report_meta(r, "command"));
    json_string(j, "mpi", report_meta(r, "mpi"));
    json_uint(j, "ranks", t->n_ranks);
    json_uint(j, "ranks_recorded", r->costs.ranks);
    json_uint(j, "threads", r->costs.threads);
    json_bool(j, "cut_off", endings_are_cut_off(&r->endings));
    json_uint(j, "nodes", report_nodes(r));
    json_uint(j, "calls", r->costs.calls);
    if (r->costs.timed)
        put_times(r, j);
    if (report_efficiency(r, &efficiency))
        efficiency_put_json(&efficiency, "efficiency", j);
    if (r->timed)
        status = program_parts_put_json(&r->parts, &view, j);
    json_uint(j, "messages", r->traffic.all.messages);
    json_uint(j, "message_bytes", r->traffic.all.bytes);
    json_uint(j, "collective_sent_bytes", r->statistics.collective_sent);
    json_uint(j, "collective_received_bytes", r->statistics.collective_received);
    json_uint(j, "accesses", r->statistics.accesses);
    json_uint(j, "written_bytes", r->statistics.written);
    json_uint(j, "read_bytes", r->statistics.read);
    findings_put_main(r, "", "", &text);
    report_json_lines(j, "reasons", &text);
    findings_put_waits(r, "; ", false, &text);
    report_json_lines(j, "findings", &text);
    findings_put_notes(r, &text);
    report_json_lines(j, "notes", &text);
    hosts_put_crowded(&r->hosts, &text);
    findings_put_warnings(r, &text);
    report_json_lines(j, "warnings", &text);
    notices_put_json(&r->notices, j);
    bytes_free(&text);
    return status;
}
