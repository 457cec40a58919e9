/* SPDX-License-Identifier: BSD-3-Clause */
/* What connects lines: messages and collective operations; and the program's regions, which calls stand on. */
"use strict";

const LINKS_MOST = 600; /* messages, or collective operations, that are drawn at a time */
const NEAR = 5;         /* pixels from a message that the mouse may be */

const withMessages = toggle("messages", data.messages && data.messages.length > 0);
const withRegions = toggle("regions", data.regions);
const withBands = toggle("collectives", data.bands && data.bands.length > 0);

function withinLines(action) {
    pen.save();
    pen.beginPath();
    pen.rect(shape.left, AXIS - 2, shape.columns, view.rows * shape.pitch + 2);
    pen.clip();
    const said = action();
    pen.restore();
    return said;
}

/* What lies deeper leaves an edge of what is around. */
function drawRegions() {
    for (let i = view.first; i < view.first + view.rows; i++) {
        for (const { colour, depth, enter, leave } of regions[i]) {
            const begin = Math.max(x(enter), shape.left), end = Math.min(x(leave), shape.left + shape.columns);
            const lower = Math.min(2 * depth, 8, shape.bar / 2);
            if (end - begin < 1) continue;
            pen.fillStyle = colour;
            pen.fillRect(begin, y(i) + lower, end - begin, shape.bar - lower);
        }
    }
}

/* ---- messages: [line, time, line, time, …], from where one was sent to where it had come ------------------- */

const messages = { drawn: [], chosen: -1 };

function ends(at) {
    const list = data.messages;
    return { ax: x(list[at + 1]), ay: y(list[at]) + shape.bar / 2, bx: x(list[at + 3]), by: y(list[at + 2]) + shape.bar / 2 };
}

function drawArrow({ ax, ay, bx, by }) {
    const length = Math.hypot(bx - ax, by - ay) || 1, dx = (bx - ax) / length, dy = (by - ay) / length;
    const head = Math.min(6, length / 2);
    pen.beginPath();
    pen.moveTo(ax, ay);
    pen.lineTo(bx, by);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(bx, by);
    pen.lineTo(bx - head * (dx + 0.4 * dy), by - head * (dy - 0.4 * dx));
    pen.lineTo(bx - head * (dx - 0.4 * dy), by - head * (dy + 0.4 * dx));
    pen.fill();
}

/* Too many would hide everything; then how many there are is said. */
function drawMessages() {
    const list = data.messages, seen = [];
    for (let at = 0; at < list.length; at += 4) {
        if (Math.max(list[at + 1], list[at + 3]) >= view.from && Math.min(list[at + 1], list[at + 3]) <= view.to &&
            (isSeen(list[at]) || isSeen(list[at + 2]))) seen.push(at);
    }
    messages.drawn = seen.length > LINKS_MOST ? [] : seen;
    pen.strokeStyle = pen.fillStyle = inks().message;
    pen.lineWidth = 0.8;
    for (const at of messages.drawn) drawArrow(ends(at));
    if (messages.chosen >= 0) {
        pen.strokeStyle = pen.fillStyle = inks().mark;
        pen.lineWidth = 2.5;
        drawArrow(ends(messages.chosen));
    }
    return seen.length > LINKS_MOST ? "; " + seen.length + " messages are too many to be drawn: zoom in" : "";
}

/* The message under the mouse, or -1. */
function messageAt(px, py) {
    let nearest = -1, least = NEAR;
    for (const at of withMessages.checked ? messages.drawn : []) {
        const { ax, ay, bx, by } = ends(at), square = (bx - ax) ** 2 + (by - ay) ** 2;
        const part = square > 0 ? Math.min(Math.max(((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / square, 0), 1) : 0;
        const distance = Math.hypot(px - ax - part * (bx - ax), py - ay - part * (by - ay));
        if (distance < least) [nearest, least] = [at, distance];
    }
    return nearest;
}

function chooseMessage(at) {
    messages.chosen = at === messages.chosen ? -1 : at;
    redraw();
}

function messageText(at) {
    const [from, sent, to, received] = data.messages.slice(at, at + 4);
    const call = (line, is) => { const i = callWhere(lines[line].calls, is); return i < 0 ? "" : "\n" + callText(lines[line], i); };
    return "message from rank " + lines[from].label + " to rank " + lines[to].label + ", " + timeText(Math.abs(received - sent)) +
        (received < sent ? " early" : "") + call(from, (enter, leave) => enter === sent && leave >= sent) + call(to, (enter, leave) => leave === received);
}

/* ---- collective operations: [[line, enter, leave, …], …], the members of each, from the first line on ------ */

function drawBands() {
    const seen = data.bands.filter(band => {
        for (let at = 0; at < band.length; at += 3)
            if (band[at + 1] <= view.to && band[at + 2] >= view.from && isSeen(band[at])) return true;
        return false;
    });
    if (seen.length > LINKS_MOST) return "; " + seen.length + " collective operations are too many to be marked";
    pen.fillStyle = "rgba(0, 158, 115, .25)";
    pen.strokeStyle = "rgba(0, 158, 115, .7)";
    pen.lineWidth = 1;
    for (const band of seen) {
        pen.beginPath();
        for (let at = 0; at < band.length; at += 3) {
            pen.lineTo(x(band[at + 1]), y(band[at]));
            pen.lineTo(x(band[at + 1]), y(band[at]) + shape.bar);
        }
        for (let at = band.length - 3; at >= 0; at -= 3) {
            pen.lineTo(x(band[at + 2]), y(band[at]) + shape.bar);
            pen.lineTo(x(band[at + 2]), y(band[at]));
        }
        pen.closePath();
        pen.fill();
        pen.stroke();
    }
    return "";
}
