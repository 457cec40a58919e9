/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of `refrain timeline`. What the data are is written at the head of timeline_html.c. A line shows calls
 * that are a pixel wide as they are; of all others, and of what came in bins, a column of one pixel shows how
 * much of its time was in calls, by its height, and the kind that has most of that, by its colour. */
"use strict";
(() => {

const data = JSON.parse(document.getElementById("data").textContent);
const KINDS = data.kinds.length;
const LABEL_ROOM = 12, AXIS = 22, PITCH_LEAST = 4, PITCH_MOST = 30, MARKS_APART = 110, SPAN_LEAST = 100;
const LINKS_MOST = 600; /* messages, or collective operations, that are drawn at a time */

/* ---- data ---------------------------------------------------------------------------------------------- */

function unpackCalls(packed) {
    const n = packed.length / 5;
    const calls = { n, index: new Float64Array(n), enter: new Float64Array(n), leave: new Float64Array(n),
        fn: new Uint32Array(n), text: new Int32Array(n) };
    for (let i = 0, at = 0, index = 0, time = 0; i < n; i++) {
        calls.index[i] = index += packed[at++];
        calls.enter[i] = time += packed[at++];
        calls.leave[i] = time += packed[at++];
        calls.fn[i] = packed[at++];
        calls.text[i] = packed[at++];
    }
    /* A call may lie within one that ends later: from each on, when the first one begins. */
    calls.least = Float64Array.from(calls.enter);
    for (let i = n - 1; i-- > 0;) calls.least[i] = Math.min(calls.least[i], calls.least[i + 1]);
    return calls;
}

/* Level 0 has the shares as they came; each further level has bins of twice the width, half as many. */
function unpackBins(packed) {
    const n = Math.ceil((data.to - data.bin.from) / data.bin.width) + 1;
    const levels = [[]];
    for (const list of packed) {
        const shares = new Float32Array(n);
        for (let i = -1, at = 1; at < list.length; at += 2) {
            i += list[at];
            if (i < n) shares[i] = list[at + 1] / data.bin.unit;
        }
        levels[0].push({ kind: list[0], shares });
    }
    while (packed.length > 0 && levels[levels.length - 1][0].shares.length > 64) {
        levels.push(levels[levels.length - 1].map(({ kind, shares }) => {
            const half = new Float32Array(Math.ceil(shares.length / 2));
            for (let i = 0; i < shares.length; i++) half[i >> 1] += shares[i] / 2;
            return { kind, shares: half };
        }));
    }
    return levels;
}

const lines = data.lines.map(line => ({ ...line, calls: unpackCalls(line.calls), levels: unpackBins(line.bins) }));

/* The first call of a line that ends after a time. */
function firstAfter(calls, time) {
    let low = 0, high = calls.n;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (calls.leave[middle] <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The program's own regions of each line, by their begin, outer ones first. */
const regions = lines.map(() => []);
if (data.regions) {
    const { items, names, colours } = data.regions;
    for (let at = 0; at < items.length; at += 5) {
        const [line, name, depth, enter, leave] = items.slice(at, at + 5);
        regions[line].push({ name: names[name], colour: colours[name % colours.length], depth, enter, leave });
    }
}

/* ---- words --------------------------------------------------------------------------------------------- */

const UNITS = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];
const unitOf = time => UNITS.find(([, scale]) => scale <= time) || UNITS[time > 0 ? UNITS.length - 1 : 0];

function timeText(time) {
    const [name, scale] = unitOf(time), value = time / scale;
    return value.toFixed(scale === 1 || time === 0 ? 0 : value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0) + " " + name;
}

/* Marks at multiples of 1, 2 or 5 times a power of ten, at most `most` of them; as time_axis.c has it. */
function axisOf(from, to, most) {
    const [unit, scale] = unitOf(to);
    let step = 1;
    for (let power = 1; (to - from) / step > most; power *= 10) {
        for (const by of [2, 5, 10]) if ((to - from) / step > most) step = power * by;
    }
    let digits = 0;
    while (step * 10 ** digits % scale !== 0) digits++;
    return { step, text: mark => (mark / scale).toFixed(digits) + " " + unit };
}

/* ---- colours: those of calls are the same by day and by night, ink and ground are not ------------------- */

const dark = matchMedia("(prefers-color-scheme: dark)");
const INKS = {
    light: { ink: "#222", line: "rgba(0, 0, 0, .15)", message: "rgba(0, 0, 0, .75)", rest: data.rest.colour },
    dark: { ink: "#e6e8ec", line: "rgba(255, 255, 255, .2)", message: "rgba(255, 255, 255, .8)", rest: "#33373f" },
};
const inks = () => INKS[dark.matches ? "dark" : "light"];

const percent = share => (100 * share).toFixed(1) + " %";

/* ---- the page ------------------------------------------------------------------------------------------ */

function make(tag, parent, text, id) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (id) element.id = id;
    parent.append(element);
    return element;
}

make("h1", document.body, data.title);
make("p", document.body, data.about);
make("p", document.body, data.notes.trimEnd(), "notes");
const legend = make("ul", document.body, undefined, "legend");
const inCalls = data.kinds.reduce((sum, kind) => sum + kind.time, 0);
for (const { name, colour, time } of [...data.kinds, { name: data.rest.name, time: data.span - inCalls }]) {
    if (time <= 0) continue;
    const item = make("li", legend), square = make("span", item);
    const paint = () => { square.style.background = colour || inks().rest; };
    paint();
    dark.addEventListener("change", paint);
    item.append(name + " " + percent(time / data.span));
}
const tools = make("div", document.body, undefined, "tools");
function button(text, title, action) {
    const b = make("button", tools, text);
    b.title = title;
    b.addEventListener("click", action);
}
button("−", "less detail (−)", () => zoom(2));
button("+", "more detail (+)", () => zoom(0.5));
if (data.begin > data.from) button("run", "the run, after MPI_Init (1)", () => show(data.begin, data.to));
button("all", "all, with MPI_Init (0)", () => show(data.from, data.to));
function toggle(name, there) {
    if (!there) return { checked: false };
    const label = make("label", tools), box = make("input", label, undefined, name);
    box.type = "checkbox";
    box.checked = true;
    label.append(" " + name);
    box.addEventListener("change", redraw);
    return box;
}
const withMessages = toggle("messages", data.messages && data.messages.length > 0);
const withRegions = toggle("regions", data.regions);
const withBands = toggle("collectives", data.bands && data.bands.length > 0);
const viewText = make("output", tools, "", "view");
make("span", tools, "wheel: zoom; drag or ← →: move; + −: zoom; 0: all", "help");
const canvas = make("canvas", document.body);
canvas.tabIndex = 0;
canvas.setAttribute("aria-label", "timeline");
const tip = make("div", document.body, undefined, "tip");
tip.hidden = true;
const pen = canvas.getContext("2d");
const font = size => { pen.font = size + "px " + getComputedStyle(document.body).fontFamily; };

/* ---- what is seen -------------------------------------------------------------------------------------- */

const view = { from: data.begin, to: data.to };
const shape = { left: 0, columns: 1, pitch: 1, bar: 1 }; /* of the canvas, in pixels */
const x = time => shape.left + (time - view.from) / (view.to - view.from) * shape.columns;
const timeAt = px => view.from + (px - shape.left) / shape.columns * (view.to - view.from);
const y = line => AXIS + line * shape.pitch;

function show(from, to) {
    const span = Math.min(Math.max(to - from, Math.min(SPAN_LEAST, data.to - data.from)), data.to - data.from);
    view.from = Math.min(Math.max(from, data.from), data.to - span);
    view.to = view.from + span;
    redraw();
}

/* `factor` times as much time is seen then; what is at `centre` stays there. */
function zoom(factor, centre = (view.from + view.to) / 2) {
    show(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
}

const move = part => show(view.from + part * (view.to - view.from), view.to + part * (view.to - view.from));

function measure() {
    font(12);
    const label = Math.max(...lines.map(line => pen.measureText(line.label).width), pen.measureText("rank").width);
    const room = window.innerHeight - canvas.getBoundingClientRect().top - window.scrollY - AXIS - 40;
    const width = canvas.clientWidth, dots = window.devicePixelRatio || 1;
    shape.left = Math.ceil(label) + LABEL_ROOM;
    shape.columns = Math.max(1, Math.floor(width) - shape.left - 1);
    shape.pitch = Math.floor(Math.min(Math.max(room / lines.length, PITCH_LEAST), PITCH_MOST));
    shape.bar = shape.pitch > 12 ? shape.pitch - 4 : shape.pitch - 1;
    const height = AXIS + lines.length * shape.pitch + 4;
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * dots);
    canvas.height = Math.round(height * dots);
    pen.setTransform(dots, 0, 0, dots, 0, 0);
}

/* ---- drawing ------------------------------------------------------------------------------------------- */

/* `amount` columns' worth of a kind, evenly between two places counted in columns. */
function spread(columns, kind, begin, end, amount) {
    const whole = end - begin;
    begin = Math.max(begin, 0);
    end = Math.min(end, shape.columns);
    while (begin < end) {
        const i = Math.floor(begin), until = Math.min(i + 1, end);
        columns[i * KINDS + kind] += amount * (until - begin) / whole;
        begin = until;
    }
}

function addBins(line, columns) {
    const scale = shape.columns / (view.to - view.from);
    let level = 0;
    while (level + 1 < line.levels.length && data.bin.width * 2 ** (level + 1) * scale <= 1) level++;
    const width = data.bin.width * 2 ** level;
    for (const { kind, shares } of line.levels[level]) {
        const first = Math.max(0, Math.floor((view.from - data.bin.from) / width));
        const end = Math.min(shares.length, Math.ceil((view.to - data.bin.from) / width));
        for (let i = first; i < end; i++) {
            const begin = (data.bin.from + i * width - view.from) * scale;
            if (shares[i] > 0) spread(columns, kind, begin, begin + width * scale, shares[i] * width * scale);
        }
    }
}

/* Adds calls that are too short to be seen; the numbers of the others. */
function addCalls(line, columns) {
    const { calls } = line, wide = [], scale = shape.columns / (view.to - view.from);
    for (let i = firstAfter(calls, view.from); i < calls.n && calls.least[i] < view.to; i++) {
        if (calls.enter[i] >= view.to) continue;
        const begin = (calls.enter[i] - view.from) * scale, end = (calls.leave[i] - view.from) * scale;
        if (end - begin >= 1) wide.push(i);
        else spread(columns, data.functions[calls.fn[i]].kind, begin, end, end - begin);
    }
    return wide;
}

/* The kind that has most of a column, and the share of all. */
function dominant(columns, i) {
    let kind = 0, all = 0;
    for (let k = 0; k < KINDS; k++) {
        all += columns[i * KINDS + k];
        if (columns[i * KINDS + k] > columns[i * KINDS + kind]) kind = k;
    }
    return { kind, share: Math.min(all, 1) };
}

/* Neighbours that look alike are one rectangle; those of a kind come together, since to change colours is dear. */
function drawColumns(columns, top) {
    const bars = data.kinds.map(() => []);
    for (let i = 0, last = { height: 0 }; i < shape.columns; i++) {
        const { kind, share } = dominant(columns, i);
        const height = share > 0 ? Math.max(1, Math.ceil(share * shape.bar - 1e-6)) : 0;
        if (height === last.height && (height === 0 || kind === last.kind)) last.n++;
        else if (height > 0) bars[kind].push(last = { i, n: 1, kind, height });
        else last = { n: 1, height };
    }
    for (const [kind, list] of bars.entries()) {
        pen.fillStyle = data.kinds[kind].colour;
        for (const { i, n, height } of list) pen.fillRect(shape.left + i, top + shape.bar - height, n, height);
    }
}

const names = data.functions.map(f => f.name.replace(/^MPI_/, ""));
function drawWide(line, wide, top) {
    for (const i of wide.reverse()) { /* what is within another call is over it */
        const begin = Math.max(x(line.calls.enter[i]), shape.left);
        const end = Math.min(x(line.calls.leave[i]), shape.left + shape.columns);
        const fn = line.calls.fn[i];
        pen.fillStyle = data.kinds[data.functions[fn].kind].colour;
        pen.fillRect(begin, top, end - begin, shape.bar);
        if (end - begin > 4) { /* calls that touch are told apart */
            pen.fillStyle = "rgba(255, 255, 255, .5)";
            pen.fillRect(end - 1, top, 1, shape.bar);
        }
        if (shape.bar >= 13 && end - begin > 24 && pen.measureText(names[fn]).width < end - begin - 8) {
            pen.fillStyle = data.kinds[data.functions[fn].kind].ink;
            pen.fillText(names[fn], begin + 4, top + shape.bar / 2);
        }
    }
}

function drawAxis() {
    const axis = axisOf(view.from, view.to, shape.columns / MARKS_APART);
    const bottom = AXIS + lines.length * shape.pitch;
    font(12);
    pen.fillStyle = inks().ink;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    pen.fillText("rank", shape.left - 6, AXIS / 2);
    for (let mark = Math.ceil(view.from / axis.step) * axis.step; mark <= view.to; mark += axis.step) {
        const text = axis.text(mark), half = pen.measureText(text).width / 2;
        pen.textAlign = x(mark) - half < shape.left ? "left" : "center";
        pen.fillStyle = inks().ink;
        if (x(mark) + half <= shape.left + shape.columns + 1) pen.fillText(text, x(mark), AXIS / 2);
        pen.fillStyle = inks().line;
        pen.fillRect(Math.round(x(mark)), AXIS - 4, 1, bottom - AXIS + 8);
    }
}

function drawLabels() {
    const every = Math.ceil(14 / shape.pitch);
    pen.textAlign = "right";
    pen.fillStyle = inks().ink;
    for (let i = 0; i < lines.length; i += every) pen.fillText(lines[i].label, shape.left - 6, y(i) + shape.bar / 2);
}

let asked = false;
function redraw() {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
}

function draw() {
    asked = false;
    measure();
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const columns = new Float64Array(shape.columns * KINDS);
    let drawn = 0;
    pen.fillStyle = inks().rest;
    for (const [i, line] of lines.entries()) {
        const begin = Math.max(line.begin, view.from), end = Math.min(line.end, view.to);
        if (begin < end) pen.fillRect(x(begin), y(i), x(end) - x(begin), shape.bar);
    }
    if (withRegions.checked) withinLines(drawRegions);
    if (withBands.checked) withinLines(drawBands);
    for (const [i, line] of lines.entries()) {
        columns.fill(0);
        addBins(line, columns);
        const wide = addCalls(line, columns);
        drawColumns(columns, y(i));
        font(11);
        pen.textAlign = "left";
        pen.textBaseline = "middle";
        drawWide(line, wide, y(i));
        drawn += wide.length;
    }
    drawAxis();
    drawLabels();
    const said = withMessages.checked ? withinLines(drawMessages) : "";
    viewText.textContent = timeText(view.from) + " – " + timeText(view.to) + " (" + timeText(view.to - view.from) +
        "), " + drawn + (drawn === 1 ? " call" : " calls") + " large enough to be seen" + said;
}

/* ---- messages and collective operations ---------------------------------------------------------------- */

function withinLines(action) {
    pen.save();
    pen.beginPath();
    pen.rect(shape.left, AXIS - 2, shape.columns, lines.length * shape.pitch + 2);
    pen.clip();
    const said = action();
    pen.restore();
    return said;
}

/* The ground that calls stand on; what lies deeper leaves an edge of what is around. */
function drawRegions() {
    for (const [i, list] of regions.entries()) {
        for (const { colour, depth, enter, leave } of list) {
            const begin = Math.max(x(enter), shape.left), end = Math.min(x(leave), shape.left + shape.columns);
            const lower = Math.min(2 * depth, 8, shape.bar / 2);
            if (end - begin < 1) continue;
            pen.fillStyle = colour;
            pen.fillRect(begin, y(i) + lower, end - begin, shape.bar - lower);
        }
    }
}

/* [line, time, line, time, …]: from where a message was sent to where it had come. Too many would hide
 * everything. */
function drawMessages() {
    const list = data.messages, seen = [];
    for (let at = 0; at < list.length && seen.length <= LINKS_MOST; at += 4) {
        if (Math.max(list[at + 1], list[at + 3]) >= view.from && Math.min(list[at + 1], list[at + 3]) <= view.to)
            seen.push(at);
    }
    if (seen.length > LINKS_MOST) return "; too many messages to be drawn";
    pen.strokeStyle = pen.fillStyle = inks().message;
    pen.lineWidth = 0.8;
    for (const at of seen) {
        const ax = x(list[at + 1]), ay = y(list[at]) + shape.bar / 2;
        const bx = x(list[at + 3]), by = y(list[at + 2]) + shape.bar / 2;
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
    return "";
}

/* [[line, enter, leave, …], …]: the members of each operation, from the first line on. */
function drawBands() {
    const seen = data.bands.filter(band => {
        for (let at = 0; at < band.length; at += 3)
            if (band[at + 1] <= view.to && band[at + 2] >= view.from) return true;
        return false;
    });
    if (seen.length > LINKS_MOST) return;
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
}

/* ---- what is under the mouse --------------------------------------------------------------------------- */

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

/* The text for a place on the canvas: the call that is there, or what its column stands for. */
function textAt(px, py) {
    const line = lines[Math.floor((py - AXIS) / shape.pitch)], i = Math.floor(px - shape.left);
    if (!line || py < AXIS || i < 0 || i >= shape.columns) return "";
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

/* ---- mouse and keys ------------------------------------------------------------------------------------ */

canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 30 : 1; /* lines or pixels */
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey)
        move((event.deltaX || event.deltaY) * unit / shape.columns);
    else
        zoom(Math.exp(Math.min(Math.max(event.deltaY * unit, -400), 400) * 0.002),
            timeAt(event.clientX - canvas.getBoundingClientRect().left));
    tip.hidden = true;
}, { passive: false });

let drag = null;
canvas.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    drag = { x: event.clientX, from: view.from, to: view.to };
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("dragged");
    tip.hidden = true;
});
canvas.addEventListener("pointermove", event => {
    if (!drag) return showTip(event);
    const by = (drag.x - event.clientX) / shape.columns * (drag.to - drag.from);
    show(drag.from + by, drag.to + by);
});
for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, () => { drag = null; canvas.classList.remove("dragged"); });
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
canvas.addEventListener("dblclick", event => zoom(0.25, timeAt(event.clientX - canvas.getBoundingClientRect().left)));

const KEYS = {
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "_": () => zoom(2),
    "ArrowLeft": () => move(-0.2), "ArrowRight": () => move(0.2),
    "1": () => show(data.begin, data.to), "0": () => show(data.from, data.to), "Home": () => show(data.from, data.to),
};
document.addEventListener("keydown", event => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    KEYS[event.key]();
});

window.addEventListener("resize", redraw);
dark.addEventListener("change", redraw);
redraw();
})();
