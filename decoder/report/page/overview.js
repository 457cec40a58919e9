/* SPDX-License-Identifier: BSD-3-Clause */
/* What ran, how its time is cut, what costs most. */
"use strict";

function drawOverview(section, body) {
    const recorded = section.ranks_recorded < section.ranks ? count(section.ranks_recorded) + " of " : "";
    const facts = [["ranks", recorded + count(section.ranks), "ranks"], ["nodes", count(section.nodes)], ["calls", count(section.calls), "calls"],
        ["messages", count(section.messages), "messages"], ["sent in messages", bytes(section.message_bytes), "message_bytes"]];
    if (section.collective_sent_bytes + section.collective_received_bytes > 0)
        facts.push(["sent in collective operations", bytes(section.collective_sent_bytes), "collective_sent"],
            ["received in them", bytes(section.collective_received_bytes), "collective_received"]);
    if (section.accesses > 0)
        facts.push(["one-sided accesses", count(section.accesses)], ["written by them", bytes(section.written_bytes)], ["read by them", bytes(section.read_bytes)]);
    if (section.run_seconds !== undefined)
        facts.unshift(["run time, without MPI_Init", seconds(section.run_seconds), "run"], ["MPI_Init", seconds(section.init_seconds), "init"]);
    body.append(make("dl", { class: "facts" }, ...facts.map(([name, value, fact]) => make("div", {}, make("dt", {}, name), make("dd", {}, value),
        before(fact) && make("dd", { class: "before" }, before(fact))))));
    if (section.notices.length > 0) body.append(make("ul", { class: "warnings" }, ...section.notices.map(notice => make("li", {}, notice.says))));
    if (section.computation_share !== undefined) body.append(drawShares(section));
    if (section.reasons.length > 0)
        body.append(make("h3", {}, "Why ranks wait"),
            make("p", { class: "help" }, "What comes each time is first. Then each reason explains a share of all waiting."),
            make("ol", { class: "findings" }, ...section.reasons.map(drawReason)));
    if (section.efficiency) body.append(drawEfficiency(section.efficiency));
    if (section.phases && section.phases.length > 0) body.append(...drawPhases(section.phases));
    if (section.findings.length > 0)
        body.append(make("h3", {}, "What costs most"),
            make("p", { class: "help" }, "Times are those of all ranks together, per cent are of all waiting."), make("ol", { class: "findings" }, ...section.findings.map(drawFinding)));
    if (section.notes.length > 0) body.append(make("p", { class: "notes" }, section.notes.join("\n")));
    if (section.warnings.length > 0)
        body.append(make("h3", {}, "To be known"), make("ul", { class: "warnings" }, ...section.warnings.map(text => make("li", {}, text))));
}

/* "58.1 %  rank 3 computes …; without that the run would take …" */
function drawReason(reason) {
    const [text, ...gain] = reason.split(/; (?=without that |if it took no time )/);
    return make("li", {}, make("strong", {}, text), ...gain.map(line => make("div", { class: "why" }, line)));
}

/* "3.5 s  late sender in MPI_Recv at exchange (halo.c:31), ranks 0-2, …; the sender is rank 1; because …": what it is, then the rest. */
function drawFinding(finding) {
    const [text, ...why] = finding.split(/; (?=(?:also )?because )/),
        cut = text.search(/, (all ranks|ranks? )|; /), head = cut < 0 ? text : text.slice(0, cut);
    return make("li", {}, make("strong", {}, head), cut < 0 ? "" : text.slice(cut), ...why.map(reason => make("div", { class: "why" }, reason)));
}

/* A tree of factors; the further below 1, the darker. */
function drawEfficiency(efficiency) {
    const line = (key, name, text) => {
        const square = make("span", { class: "square" });
        whenColoursChange(() => { square.style.background = colour(1 - efficiency[key]); });
        return make("li", {}, square, make("strong", {}, name + " " + percent(efficiency[key])), " – " + text);
    };
    const parts = efficiency.serialization === undefined ? "" : make("ul", { class: "factors" },
        line("serialization", "serialization", "the largest computation by the run in a network that takes no time: below 100 % ranks wait for each other"),
        line("transfer", "transfer", "that run by the longest one: below 100 % calls themselves take long"));
    const factors = make("ul", { class: "factors" },
        line("load_balance", "load balance", "mean computation of a rank by the largest one: below 100 % some ranks have more to do"),
        line("communication", "communication efficiency", "the largest computation by the longest run: below 100 % even that rank is in MPI"), parts);
    return make("div", {}, make("h3", {}, "Efficiency"), make("ul", { class: "factors" },
        line("parallel", "parallel efficiency", "share of the longest run that is computation, on average; the product of"), factors));
}

/* A row for each phase; sections of the run come before their phases, which are indented. */
function drawPhases(phases) {
    const of = (key, title, text) => ({ title, number: true, value: row => row[key] === null ? -1 : row[key], text: row => row[key] === null ? "–" : text(row[key]) });
    const until = row => row.until === null ? "" : row.until.function + (row.until.site.length > 0 && row.until.site[0].line ? " (" + row.until.site[0].file.split("/").pop() + ":" + row.until.site[0].line + ")" : "");
    const factor = (key, title) => ({ ...of(key, title, percent), bar: row => row[key] || 0, least: 6.2 });
    return [make("h3", {}, "Efficiency of phases"), makeTable("phases", [
        { title: "Part", value: row => row.part, text: row => row.part + (row.constructs === null ? "" : " " + row.constructs), least: 11,
            indent: row => row.part === "phase" },
        { title: "Until", value: until, text: until, wide: true },
        { ...of("seconds", "Time", seconds), least: 6.5 }, { ...of("share", "Share", percent), bar: row => row.share || 0, least: 5.5 },
        factor("parallel", "Parallel"), factor("load_balance", "Balance"), factor("communication", "Commun."), factor("serialization", "Serial."), factor("transfer", "Transfer")], phases),
    make("p", { class: "help" }, "A phase lies between two collective operations of all ranks. Numbers are constructs of the model, as refrain model --paths prints them. " +
        "The time is that of the thread that is in the phase longest; shares of the run are of all threads.")];
}

function drawShares(section) {
    const waiting = Math.min(section.waiting_share || 0, section.mpi_share);
    const unreturned = Math.min(section.unreturned_share || 0, section.mpi_share - waiting);
    const parts = [["computation", section.computation_share, "computing"],
        ["MPI" + (waiting > 0 ? ", not waiting" : ""), section.mpi_share - waiting - unreturned, "mpi"],
        ["waiting", waiting, "waiting"], ["in calls that did not return", unreturned, "unreturned"]].filter(([, share]) => share > 0);
    const bar = make("div", { class: "shares", role: "img", "aria-label": parts.map(([name, share]) => name + " " + percent(share)).join(", ") });
    const legend = make("ul", { class: "legend" });
    for (const [name, share, kind] of parts) {
        const part = make("div", { class: kind, title: name + " " + percent(share) });
        part.style.flexGrow = share;
        bar.append(part);
        legend.append(make("li", {}, make("span", { class: "square " + kind }), name + " " + percent(share)));
    }
    return make("div", {}, bar, legend);
}
