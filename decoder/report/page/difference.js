/* SPDX-License-Identifier: BSD-3-Clause */
/* Two runs: what is different in sentences, as a whole, and by place. Other sections ask here for what the other run has. */
"use strict";

const difference = report.sections.difference;
const writers = { seconds, bytes, share: percent, "": value => digits(value, 1) };
const signed = (value, text) => value === 0 ? "0" : (value < 0 ? "\u2212" : "+") + text(Math.abs(value));
const relative = value => value === null || value === undefined ? "\u2013" : signed(value, percent);

/* A cell for a number that may not be there. */
const numberOf = (value, text) => ({ number: true, value: row => value(row) ?? -Infinity, text: row => value(row) === null || value(row) === undefined ? "\u2013" : text(value(row), row) });

function drawDifference(section, body) {
    const last = section.runs[section.runs.length - 1].label.toLowerCase();
    body.append(make("ul", { class: "findings" }, ...section.words.map(text => make("li", {}, text))));
    const write = (value, row) => writers[row.unit](value);
    body.append(makeTable("the runs", [
        { title: "Times: mean of a rank", value: row => row.what, text: row => row.what, wide: true },
        { title: "A", ...numberOf(row => row.a, write) }, { title: last.toUpperCase(), ...numberOf(row => row[last], write) },
        { title: "Change", ...numberOf(row => row.change, (value, row) => row.unit === "share" ? signed(100 * value, v => v.toFixed(1)) + " points" : signed(value, writers[row.unit])) },
        { title: "Relative", ...numberOf(row => row.unit === "share" ? null : row.relative, relative) }], section.run, 20));

    const scaled = section.scaling !== undefined, weight = row => (scaled ? row.time.lost : row.time.change) || 0;
    const place = make("div", {});
    const draw = kind => {
        const rows = section[kind], largest = Math.max(...rows.map(row => Math.abs(weight(row)))) || 1;
        const sort = row => row.time.a === null ? "new" : row.time[last] === null ? "gone" : relative(row.time.relative);
        place.replaceChildren(makeTable(kind, [
            { title: { sites: "Call site", functions: "Function", regions: "Region" }[kind], value: row => row.place, wide: true,
                text: row => row.place + (row.was_line ? ", was line " + row.was_line : "") },
            { title: "A", ...numberOf(row => row.time.a, seconds) }, { title: last.toUpperCase(), ...numberOf(row => row.time[last], seconds) },
            ...(scaled ? [{ title: "Ideal", ...numberOf(row => row.time.ideal, seconds) }] : []),
            { title: scaled ? "Lost" : "Change", ...numberOf(row => scaled ? row.time.lost : row.time.change, value => signed(value, seconds)),
                bar: row => Math.abs(weight(row)) / largest, kind: row => weight(row) > 0 ? "more" : "less" },
            { title: "Relative", number: true, value: row => row.time.relative ?? -Infinity, text: sort },
            { title: "Waiting", ...numberOf(row => row.waiting.change, value => signed(value, seconds)) },
            { title: "Calls in A", ...numberOf(row => row.calls.a, count) }, { title: "in " + last.toUpperCase(), ...numberOf(row => row.calls[last], count) },
            { title: "Sent", ...numberOf(row => row.sent.change, value => signed(value, bytes)) }], rows));
    };
    const kinds = [["sites", "call sites"], ["functions", "functions"], ["regions", "regions"]].filter(([kind]) => section[kind].length > 0);
    body.append(make("h3", {}, scaled ? "What was lost" : "What changed"), choices("places", kinds, draw), place);
    draw("sites");
    if (section.model !== undefined) body.append(...drawModels(section.model, last));
}

/* Lines of both models beside each other, as far as they differ. */
function drawModels(pairs, last) {
    if (pairs === null) return [make("p", {}, "The models differ in too many lines to be shown.")];
    if (pairs.length === 0) return [];
    const cell = (text, same) => make("td", { class: same ? "" : text === undefined ? "none" : "differs" }, text || "");
    const rows = pairs.flatMap(({ a, b, same, gap }) => [...(gap ? [make("tr", { class: "gap" }, make("td", {}, "⋮"), make("td", {}, "⋮"))] : []),
        make("tr", {}, cell(a, same), cell(b, same))]);
    return [make("h3", {}, "Where the models differ"), make("div", { class: "wide models" }, make("table", { class: "code" },
        make("tr", {}, make("th", {}, "A"), make("th", {}, last.toUpperCase())), ...rows))];
}

/* ": 2.6 s in A", beside what this run has: of a fact; nothing if there is no other run. */
function before(fact) {
    const row = difference && difference.run.find(row => row.key === fact);
    return row && row.a !== null ? writers[row.unit](row.a) + " in A" : undefined;
}

/* Mean times in the other run, by the number of a row of "where time goes"; undefined if there is none. */
const timesBefore = difference && new Map(difference.sites.filter(row => row.at !== undefined).map(row => [row.at, row.time.a]));
