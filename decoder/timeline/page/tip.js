/* SPDX-License-Identifier: BSD-3-Clause */
/* What is under the mouse, in words: a message, a call, or what a column stands for. */
"use strict";

function laneText(lane) {
    const { rank, thread } = data.lanes[lane];
    return "rank " + rank + (thread > 0 ? ", thread " + thread : "");
}

function callText(line, i) {
    const { calls } = line, text = calls.text[i];
    return laneText(line.lane) + ", call " + calls.index[i] + ": " + data.functions[calls.fn[i]].name + "\n" +
        "from " + (calls.enter[i] / 1e9).toFixed(9) + " s on, " + timeText(calls.leave[i] - calls.enter[i]) +
        (text >= 0 ? "\n" + data.texts[text] : "");
}

function columnText(line, i) {
    const columns = new Float64Array(shape.columns * KINDS), first = timeAt(shape.left + i), end = timeAt(shape.left + i + 1);
    addBins(line, columns);
    addCalls(line, columns);
    const shares = [...columns.subarray(i * KINDS, (i + 1) * KINDS)].map((share, k) => [share, data.kinds[k].name]);
    const some = shares.filter(([share]) => share > 0).sort((a, b) => b[0] - a[0]);
    if (some.length === 0) return "";
    const who = line.lanes > 1 ? line.lanes + " lanes, " + line.label : laneText(line.lane);
    return who + "\n" + timeText(first) + " – " + timeText(end) + ": " + timeText(end - first) +
        some.map(([share, name]) => "\n" + percent(share) + " " + name).join("");
}

/* The call of which that is true, or -1. */
function callWhere(calls, is) {
    for (let i = 0; i < calls.n; i++) if (is(calls.enter[i], calls.leave[i])) return i;
    return -1;
}

/* The text for a place on the canvas: the call that is there, or what its column stands for. */
function textAt(px, py) {
    const line = lines[lineAt(py)], i = Math.floor(px - shape.left);
    if (!line || i < 0 || i >= shape.columns) return "";
    const message = messageAt(px, py);
    if (message >= 0) return messageText(message);
    const { calls } = line, time = timeAt(px), near = (view.to - view.from) / shape.columns;
    let call = firstAfter(calls, time);
    while (call < calls.n && calls.enter[call] > time && calls.least[call] <= time) call++;
    const wide = line.calls.leave[call] - line.calls.enter[call] >= near;
    const is = call < line.calls.n && line.calls.enter[call] <= time && wide;
    const within = regions[lines.indexOf(line)].filter(r => r.enter <= time && time < r.leave).map(r => r.name);
    const text = is ? callText(line, call) : columnText(line, i);
    return [text, within.length > 0 ? "in " + within.join(" > ") : ""].filter(part => part).join("\n");
}

function showTip(event) {
    const box = canvas.getBoundingClientRect();
    tip.textContent = textAt(event.clientX - box.left, event.clientY - box.top);
    tip.hidden = tip.textContent === "";
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8)) + "px";
    const below = event.clientY + 18, above = event.clientY - tip.offsetHeight - 10;
    tip.style.top = (below + tip.offsetHeight > window.innerHeight && above > 0 ? above : below) + "px";
}
