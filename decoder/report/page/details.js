/* SPDX-License-Identifier: BSD-3-Clause */
/* The timeline, and what is known of the run. */
"use strict";

/* The page of `refrain timeline` in a frame that can do nothing but draw; it is made when it comes into view, or when
 * another section wants something to be seen in it: {worst: number} of the longest waits, or {find: text}. */
let showOnTimeline = null;

function drawTimeline(section, body) {
    if (!report.timeline_page) return;
    const frame = make("iframe", { title: "timeline", sandbox: "allow-scripts", class: "timeline" });
    frame.style.height = Math.min(720, 270 + 30 * report.sections.overview.ranks) + "px";
    body.append(frame);
    const loaded = new Promise(done => frame.addEventListener("load", () => { if (frame.srcdoc) done(); }));
    const load = () => {
        watch.disconnect();
        if (!frame.srcdoc) frame.srcdoc = report.timeline_page;
        return loaded;
    };
    const watch = new IntersectionObserver(entries => { if (entries.some(entry => entry.isIntersecting)) load(); }, { rootMargin: "400px" });
    watch.observe(frame);
    showOnTimeline = wanted => {
        frame.scrollIntoView({ block: "center" });
        load().then(() => frame.contentWindow.postMessage(wanted, "*"));
    };
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
