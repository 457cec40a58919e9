/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections for a closer look: timeline, structure, run. */
"use strict";

/* The page of `refrain timeline` in a frame that can do nothing but draw; it is made when it comes into view. */
function drawTimeline(section, body) {
    if (!report.timeline_page) return;
    const frame = make("iframe", { title: "timeline", sandbox: "allow-scripts", class: "timeline" });
    frame.style.height = Math.min(720, 230 + 30 * report.sections.overview.ranks) + "px";
    body.append(frame);
    const watch = new IntersectionObserver(entries => {
        if (!entries.some(entry => entry.isIntersecting)) return;
        watch.disconnect();
        frame.srcdoc = report.timeline_page;
    }, { rootMargin: "400px" });
    watch.observe(frame);
}

/* Lines of the model; what is between "for" and "done" can be closed. */
function drawStructure(section, body) {
    const above = [], nodes = [];
    for (const line of section.lines) {
        const depth = line.search(/\S|$/) / 2, label = line.trim();
        if (label === "done") continue;
        above.length = depth;
        nodes.push({ parent: depth > 0 ? above[depth - 1] : -1, label });
        above[depth] = nodes.length - 1;
    }
    if (nodes.length === 0) {
        body.append(make("p", {}, "There are neither messages nor operations of several ranks."));
        return;
    }
    const tree = makeTree("structure", nodes, { value: () => 0, text: () => "", share: () => 0, picked: () => {}, most: 22 });
    tree.box.classList.add("code");
    tree.openTo(2);
    body.append(choices("loops", [["some", "two levels"], ["all", "open all"], ["none", "close all"]],
        key => tree.openTo({ some: 2, all: 1000, none: 0 }[key])), tree.box);
    if (section.more) body.append(make("p", {}, "There is more than that; refrain model prints all of it."));
}

function drawRun(section, body) {
    body.append(make("dl", { class: "fields" }, ...section.fields.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
    body.append(make("div", { class: "pictures" }, makeTable("hosts", [
        { title: "Node", value: row => row.name, text: row => row.name, wide: true },
        { title: "Ranks", number: true, value: row => row.ranks, text: row => count(row.ranks) }], section.hosts, 12),
    makeTable("sections of the file", [
        { title: "Section of the file", value: row => row.section, text: row => row.section, wide: true },
        { title: "Bytes", number: true, value: row => row.bytes, text: row => bytes(row.bytes) },
        { title: "In the file", number: true, value: row => row.stored, text: row => bytes(row.stored) }], section.sections, 12)));
}
