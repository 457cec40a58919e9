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

/* Colours are for the bytes that a rank exchanges with others. */
function drawPart(section) {
    const exchanged = new Map();
    for (const part of section.parts)
        for (const [rank, , , size] of part.points) exchanged.set(rank, size);
    let most = 1;
    for (const size of exchanged.values()) most = Math.max(most, size);
    const of = rank => exchanged.get(rank) || 0;
    return part => {
        const place = make("figure", {});
        whenColoursChange(() => place.replaceChildren(drawTopology(part, rank => of(rank) / most, rank => "exchanges " + bytes(of(rank)) + " with others")));
        return place;
    };
}
