/* SPDX-License-Identifier: BSD-3-Clause */
/* The page itself: a title, links to the sections, and these. */
"use strict";

const drawings = { difference: drawDifference, overview: drawOverview, time: drawTime, waiting: drawWaiting, communication: drawCommunication,
    timeline: drawTimeline, structure: drawStructure, run: drawRun };

function drawSection(key, section) {
    const body = make("div", {}), command = make("code", {}, section.command);
    const element = make("section", { id: key, "aria-labelledby": key + "-title" },
        make("h2", { id: key + "-title" }, section.title), make("p", { class: "says" }, section.says), body,
        make("p", { class: "command" }, "As text: ", command));
    if (section.missing) body.append(make("p", { class: "missing" }, section.missing));
    document.querySelector("main").append(element); /* what is drawn can be measured */
    if (key !== "waiting" || section.metrics) drawings[key](section, body);
}

const links = make("nav", { "aria-label": "sections" });
document.body.append(make("header", {}, make("h1", {}, report.title), make("p", {}, report.file)), links, make("main", {}));
for (const [key, section] of Object.entries(report.sections)) {
    links.append(make("a", { href: "#" + key }, section.title));
    drawSection(key, section);
}

/* The link of the section that is read. */
const reading = new IntersectionObserver(entries => {
    const seen = entries.find(entry => entry.isIntersecting);
    for (const link of seen ? links.children : []) link.toggleAttribute("aria-current", link.hash === "#" + seen.target.id);
}, { rootMargin: "-20% 0px -70% 0px" });
document.querySelectorAll("section").forEach(section => reading.observe(section));
