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
        body.append(make("h3", {}, "Functions"), makeTable("sizes", [
            { title: "Function", value: row => row.function, text: row => row.function, wide: true },
            { title: "Calls", number: true, value: row => row.calls, text: row => count(row.calls) },
            { title: "Sent", number: true, value: row => row.sent, text: row => bytes(row.sent) },
            { title: "Received", number: true, value: row => row.received, text: row => bytes(row.received) },
            { title: "A call", number: true, value: row => Math.max(row.sent, row.received) / row.calls,
                text: row => bytes(Math.round(Math.max(row.sent, row.received) / row.calls)) }],
        section.functions.slice().sort((a, b) => b.sent + b.received - a.sent - a.received), 10));
    if (section.sizes.length > 0) body.append(...drawSizes(section.sizes));
}

/* How long messages of a size take. */
function drawSizes(sizes) {
    const of = (key, text) => numberOf(row => row[key], text), largest = Math.max(...sizes.map(row => row.bytes)) || 1;
    return [make("h3", {}, "Messages by size"), makeTable("message sizes", [
        { title: "Size", value: row => row.from, text: row => row.bytes === row.from * row.messages ? bytes(row.from) : bytes(row.from) + " – " + bytes(row.to), wide: true },
        { title: "Messages", ...of("messages", count) },
        { title: "Bytes", ...of("bytes", bytes), bar: row => row.bytes / largest },
        { title: "Median time", ...of("median", seconds) }, { title: "Mean", ...of("mean", seconds) }, { title: "Least", ...of("least", seconds) },
        { title: "Both there", ...of("both", seconds) }, { title: "Bandwidth", ...of("rate", value => bytes(Math.round(value)) + "/s") }], sizes, 12),
    make("p", { class: "help" }, "Of messages that were received. A time is from the begin of the call that sends to the end of the call that completes the receive, so waiting for a late sender or receiver is in it. " +
        "“Both there” is the median from when both calls had begun; what a program does before it waits is in it. The bandwidth is the mean size divided by that.")];
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
