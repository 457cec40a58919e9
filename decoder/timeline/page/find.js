/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks for calls by function, place in the source or argument; and says how much time each kind of call takes in a
 * stretch of time. */
"use strict";

/* ---- finding calls ------------------------------------------------------------------------------------------- */

const wanted = { text: "", functions: [], texts: [], list: [], at: -1 };
const isFound = (calls, i) => !wanted.text || wanted.functions[calls.fn[i]] || (calls.text[i] >= 0 && wanted.texts[calls.text[i]]);

const search = make("input", tools, undefined, "search");
search.type = "search";
search.placeholder = "find a call: function, file:line, argument";
const searchSays = make("output", tools, "", "found");

function find(text) {
    const has = words => words.toLowerCase().includes(wanted.text);
    Object.assign(wanted, { text: text.trim().toLowerCase(), list: [], at: -1 });
    wanted.functions = data.functions.map(f => has(f.name));
    wanted.texts = data.texts.map(has);
    if (wanted.text) {
        for (const [line, { calls }] of lines.entries())
            for (let i = 0; i < calls.n; i++) if (isFound(calls, i)) wanted.list.push([line, calls.enter[i], calls.leave[i]]);
        wanted.list.sort((a, b) => a[1] - b[1]);
    }
    marked = null;
    sayFound();
    redraw();
}

function sayFound() {
    const n = wanted.list.length;
    searchSays.textContent = !wanted.text ? "" : (wanted.at >= 0 ? wanted.at + 1 + " of " : "") + n + (n === 1 ? " call" : " calls");
}

/* To the next one after the last, first of all to that after the middle of the view. */
function step(by) {
    const { list } = wanted;
    if (list.length === 0) return;
    if (wanted.at < 0) {
        const after = list.findIndex(([, enter]) => enter >= (view.from + view.to) / 2);
        wanted.at = (after < 0 ? 0 : after) + (by < 0 ? -1 : 0);
    } else {
        wanted.at += by;
    }
    wanted.at = (wanted.at + list.length) % list.length;
    sayFound();
    goToMarked(...list[wanted.at]);
}

search.addEventListener("input", () => find(search.value));
search.addEventListener("keydown", event => { if (event.key === "Enter") step(event.shiftKey ? -1 : 1); });
button(tools, "‹", "the call found before (Shift + Enter)", () => step(-1));
button(tools, "›", "the next call found (Enter)", () => step(1));

/* ---- how much of each kind ------------------------------------------------------------------------------------ */

/* Times of the kinds in the lines in view, and of all their lanes. Calls within calls are part of those. */
function timesIn(from, to) {
    const times = new Float64Array(KINDS);
    let span = 0;
    for (let l = view.first; l < view.first + view.rows; l++) {
        const line = lines[l], { calls } = line;
        span += Math.max(0, Math.min(to, line.end) - Math.max(from, line.begin)) * line.lanes;
        let level = 0;
        while (level + 1 < line.levels.length && data.bin.width * 2 ** (level + 1) * 256 <= to - from) level++;
        const width = data.bin.width * 2 ** level;
        for (const { kind, shares } of line.levels[level]) {
            const first = Math.max(0, Math.floor((from - data.bin.from) / width));
            const end = Math.min(shares.length, Math.ceil((to - data.bin.from) / width));
            for (let i = first; i < end; i++) {
                const begin = data.bin.from + i * width;
                times[kind] += shares[i] * Math.max(0, Math.min(begin + width, to) - Math.max(begin, from)) * line.lanes;
            }
        }
        for (let i = firstAfter(calls, from); i < calls.n && calls.least[i] < to; i++) {
            if (calls.enter[i] < to && !isWithinAnother(calls, i))
                times[data.functions[calls.fn[i]].kind] += Math.min(calls.leave[i], to) - Math.max(calls.enter[i], from);
        }
    }
    return { times, span };
}

/* The legend says the shares of what is in view. */
const inLegend = [...data.kinds, data.rest].map(({ name, colour, time }) => {
    if (time === 0) return null;
    const item = make("li", legend), square = make("span", item);
    const paint = () => { square.style.background = colour && name !== data.rest.name ? colour : inks().rest; };
    paint();
    dark.addEventListener("change", paint);
    item.title = "share of the time in view";
    return { name, text: item.appendChild(document.createTextNode(name)) };
});

function sharesIn(from, to) {
    const { times, span } = timesIn(from, to);
    const rest = Math.max(0, span - times.reduce((sum, time) => sum + time, 0));
    return [...times, rest].map(time => span > 0 ? time / span : 0);
}

function drawLegend() {
    sharesIn(view.from, view.to).forEach((share, i) => {
        if (inLegend[i]) inLegend[i].text.data = inLegend[i].name + " " + percent(share);
    });
}

/* ---- a measured stretch of time -------------------------------------------------------------------------------- */

let range = null; /* [from, to] */
const rangeText = make("output", document.body, "", "range");

function measureRange(from, to) {
    range = from === to ? null : [Math.max(Math.min(from, to), data.from), Math.min(Math.max(from, to), data.to)];
    const names = [...data.kinds, data.rest].map(kind => kind.name);
    rangeText.textContent = !range ? "" : "measured: " + timeText(range[1] - range[0]) + " from " + timeText(range[0]) + " on: " +
        sharesIn(...range).map((share, i) => [share, names[i]]).filter(([share]) => share > 0.0005).sort((a, b) => b[0] - a[0])
            .map(([share, name]) => percent(share) + " " + name).join(", ") + " (z: zoom to it; Escape: forget it)";
    redraw();
}

function drawRange() {
    if (!range) return;
    pen.fillStyle = inks().range;
    pen.fillRect(x(range[0]), 0, x(range[1]) - x(range[0]), AXIS + view.rows * shape.pitch);
}
