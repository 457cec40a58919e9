/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication: what the ranks form, who sends to whom, how large messages are. */
"use strict";

function drawCommunication(section, body) {
    if (section.cells.length > 0) {
        const place = make("div", {});
        const draw = key => place.replaceChildren(drawMatrix(section.labels,
            section.cells.map(([from, to, messages, size]) => [from, to, key === "bytes" ? size : messages]),
            key === "bytes" ? bytes : value => count(value) + (value === 1 ? " message" : " messages")));
        draw("bytes");
        body.append(make("div", { class: "pictures" },
            make("div", {}, make("h3", {}, "Matrix"), choices("colours", [["bytes", "bytes"], ["messages", "messages"]], draw), place),
            make("div", {}, make("h3", {}, "Topology: " + section.topology), make("p", {}, section.rule ? "Numbering: " + section.rule : ""), ...section.parts.map(drawPart(section)))));
    }
    if (section.functions.length > 0)
        body.append(make("h3", {}, "Sizes"), makeTable("sizes", [
            { title: "Function", value: row => row.function, text: row => row.function, wide: true },
            { title: "Calls", number: true, value: row => row.calls, text: row => count(row.calls) },
            { title: "Sent", number: true, value: row => row.sent, text: row => bytes(row.sent) },
            { title: "Received", number: true, value: row => row.received, text: row => bytes(row.received) },
            { title: "A call", number: true, value: row => Math.max(row.sent, row.received) / row.calls,
                text: row => bytes(Math.round(Math.max(row.sent, row.received) / row.calls)) }],
        section.functions.slice().sort((a, b) => b.sent + b.received - a.sent - a.received), 10));
}

/* Colours are for the bytes that a rank sends, where ranks are told apart. */
function drawPart(section) {
    const sent = new Map();
    for (const [from, , , size] of section.cells) sent.set(section.labels[from], (sent.get(section.labels[from]) || 0) + size);
    const most = Math.max(...sent.values(), 1), of = rank => sent.get(String(rank)) || 0;
    return part => {
        const place = make("figure", {});
        whenColoursChange(() => place.replaceChildren(drawTopology(part, rank => of(rank) / most, rank => "sends " + bytes(of(rank)))));
        return place;
    };
}
