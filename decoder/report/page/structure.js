/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the model as a tree: what is deeper belongs to the line above. A line whose places in the source are known can be
 * seen on the timeline, and its time by rank. */
"use strict";

/* "file:line" of each place that a line of the model names. */
const placesOf = label => [...label.matchAll(/\(([^()\s]+:\d+)\)/g)].map(match => match[1]);

/* Seconds by item of the system, of all calls at these places. */
function secondsAt(places) {
    const { metrics, paths, system, values } = report.sections.waiting;
    const isTime = m => metrics[m].unit === "sec" && !metrics[m].part && (metrics[m].parent < 0 ? metrics[m].key === "time" : isTime(metrics[m].parent));
    const at = paths.map(path => path.line && places.includes(path.file + ":" + path.line));
    const sums = system.map(() => 0);
    for (const [metric, path, list] of values) if (at[path] && isTime(metric)) list.forEach((value, i) => { sums[i] += value * 1e-6; });
    return sums;
}

function drawStructure(section, body) {
    const above = [], nodes = [];
    for (const line of section.lines.filter(line => line.trim())) {
        const depth = line.search(/\S|$/) / 2, label = line.trim();
        above.length = Math.min(above.length, depth);
        if (label === "done") continue;
        nodes.push({ parent: depth > 0 && above.length === depth ? above[depth - 1] : -1, label });
        above[depth] = nodes.length - 1;
    }
    if (nodes.length === 0) {
        body.append(make("p", {}, "There are neither messages nor operations of several ranks."));
        return;
    }
    /* What a loop has in it is what its lines name. */
    const placesOfNode = i => {
        const all = new Set(placesOf(nodes[i].label));
        for (let k = i + 1; k < nodes.length && isBelow(k, i); k++) placesOf(nodes[k].label).forEach(place => all.add(place));
        return [...all];
    };
    const isBelow = (k, i) => { while (k > i) k = nodes[k].parent; return k === i; };
    const said = make("div", { class: "pictures" });
    const picked = i => {
        const places = placesOfNode(i), own = placesOf(nodes[i].label)[0];
        said.replaceChildren();
        if (places.length === 0 || !report.sections.waiting.system) return;
        const sums = secondsAt(places), { system } = report.sections.waiting, most = Math.max(...sums) || 1;
        const parts = report.sections.communication.parts, index = new Map(system.map((item, k) => [item.rank, k]));
        const itemOf = rank => { while (rank > 0 && !index.has(rank)) rank--; return index.get(rank) || 0; };
        said.append(make("figure", {}, make("figcaption", {}, "Time in calls at " + places.slice(0, 4).join(", ") + (places.length > 4 ? ", …" : "")),
            drawBars(sums, system.map(item => item.label), seconds)),
        ...parts.slice(0, 1).map(part => make("figure", {}, drawTopology(part, rank => sums[itemOf(rank)] / most, rank => seconds(sums[itemOf(rank)])))));
        if (own && showOnTimeline)
            said.prepend(make("button", { type: "button", onclick: () => showOnTimeline({ find: own }) }, "Show " + own + " on the timeline"));
    };
    /* The shares of the run that a line names; a loop has those of its lines. */
    const shares = nodes.map(({ label }) => [...label.matchAll(/ ([\d.]+) %/g)].reduce((sum, match) => sum + match[1] / 100, 0));
    nodes.forEach(({ label }, i) => { if (label.startsWith("#")) shares[i] = 0; });
    for (let i = nodes.length - 1; i >= 0; i--) if (nodes[i].parent >= 0) shares[nodes[i].parent] += shares[i];
    const tree = makeTree("structure", nodes, { value: i => shares[i], text: v => v > 0 ? percent(v) : "", share: v => v, picked, most: 22 });
    tree.box.classList.add("code");
    tree.openTo(2);
    body.append(choices("loops", [["some", "two levels"], ["all", "open all"], ["none", "close all"]],
        key => tree.openTo({ some: 2, all: 1000, none: 0 }[key])), tree.box, said);
    if (section.more) body.append(make("p", {}, "There is more than that; refrain model prints all of it."));
}
