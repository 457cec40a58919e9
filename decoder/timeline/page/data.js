/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of `refrain timeline`: its data, which timeline_html.c describes, and what all other files use. */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const KINDS = data.kinds.length;

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

const isWithinAnother = (calls, i) => i + 1 < calls.n && calls.least[i + 1] <= calls.enter[i];

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
    light: { ink: "#222", line: "rgba(0, 0, 0, .15)", message: "rgba(0, 0, 0, .75)", rest: data.rest.colour,
        mark: "#c2185b", hatch: "rgba(255, 255, 255, .5)", range: "rgba(0, 114, 178, .15)" },
    dark: { ink: "#e6e8ec", line: "rgba(255, 255, 255, .2)", message: "rgba(255, 255, 255, .8)", rest: "#33373f",
        mark: "#ff6fa5", hatch: "rgba(0, 0, 0, .45)", range: "rgba(120, 180, 255, .2)" },
};
const inks = () => INKS[dark.matches ? "dark" : "light"];

const percent = share => (100 * share).toFixed(1) + " %";
