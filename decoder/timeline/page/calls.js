/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the calls. A line shows calls that are a pixel wide as they are; of all others, and of what came in bins, a
 * column of one pixel shows how much of its time was in calls, by its height, and the kind that has most of that, by
 * its colour. */
"use strict";

const MARKS_APART = 110;

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
        pen.globalAlpha = isFound(line.calls, i) ? 1 : 0.25;
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
    pen.globalAlpha = 1;
}

function drawAxis() {
    const axis = axisOf(view.from, view.to, shape.columns / MARKS_APART);
    const bottom = AXIS + view.rows * shape.pitch;
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
    for (let i = view.first; i < view.first + view.rows; i += every)
        pen.fillText(lines[i].label, shape.left - 6, y(i) + shape.bar / 2);
}
