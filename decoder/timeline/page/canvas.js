/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of the page, and what part of the run is in view: a stretch of time of some of the lines. */
"use strict";

const LABEL_ROOM = 12, AXIS = 22, PITCH_LEAST = 4, PITCH_MOST = 48, SPAN_LEAST = 100;

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
const tools = make("div", document.body, undefined, "tools");
const viewText = make("output", document.body, "", "view");
const canvas = make("canvas", document.body);
canvas.tabIndex = 0;
canvas.setAttribute("aria-label", "timeline");
const tip = make("div", document.body, undefined, "tip");
tip.hidden = true;
const pen = canvas.getContext("2d");
const font = size => { pen.font = size + "px " + getComputedStyle(document.body).fontFamily; };

function button(parent, text, title, action) {
    const b = make("button", parent, text);
    b.title = title;
    b.addEventListener("click", action);
    return b;
}
/* A box to check; without anything to show there is none. */
function toggle(name, there, checked = true) {
    if (!there) return { checked: false };
    const label = make("label", tools), box = make("input", label, undefined, name.replace(" ", "-"));
    box.type = "checkbox";
    box.checked = checked;
    label.append(" " + name);
    box.addEventListener("change", redraw);
    return box;
}

/* ---- what is in view ------------------------------------------------------------------------------------- */

const view = { from: data.begin, to: data.to, first: 0, rows: lines.length };
const shape = { left: 0, columns: 1, pitch: 1, bar: 1 }; /* of the canvas, in pixels */
const x = time => shape.left + (time - view.from) / (view.to - view.from) * shape.columns;
const timeAt = px => view.from + (px - shape.left) / shape.columns * (view.to - view.from);
const y = line => AXIS + (line - view.first) * shape.pitch;
const lineAt = py => py < AXIS ? -1 : Math.min(view.first + Math.floor((py - AXIS) / shape.pitch), lines.length);
const isSeen = line => line >= view.first && line < view.first + view.rows;

function show(from, to) {
    const span = Math.min(Math.max(to - from, Math.min(SPAN_LEAST, data.to - data.from)), data.to - data.from);
    view.from = Math.min(Math.max(from, data.from), data.to - span);
    view.to = view.from + span;
    redraw();
}

function showLines(first, rows) {
    view.rows = Math.min(Math.max(Math.round(rows), 1), lines.length);
    view.first = Math.min(Math.max(Math.round(first), 0), lines.length - view.rows);
    redraw();
}

/* `factor` times as much time is seen then; what is at `centre` stays there. */
function zoom(factor, centre = (view.from + view.to) / 2) {
    show(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
}
/* The same of lines. */
function zoomLines(factor, centre = view.first + view.rows / 2) {
    const rows = factor < 1 ? Math.min(Math.round(view.rows * factor), view.rows - 1) : Math.max(Math.round(view.rows * factor), view.rows + 1);
    showLines(centre - (centre - view.first) * rows / view.rows, rows);
}

const move = part => show(view.from + part * (view.to - view.from), view.to + part * (view.to - view.from));

/* A stretch of a line, with some of what is around it. */
function goTo(line, from, to) {
    const around = Math.max(to - from, SPAN_LEAST);
    if (!isSeen(line)) showLines(line - view.rows / 2, view.rows);
    show(from - around, to + around);
}

function measure() {
    font(12);
    const label = Math.max(...lines.map(line => pen.measureText(line.label).width), pen.measureText("rank").width);
    const room = window.innerHeight - canvas.getBoundingClientRect().top - window.scrollY - AXIS - 40;
    const width = canvas.clientWidth, dots = window.devicePixelRatio || 1;
    shape.left = Math.ceil(label) + LABEL_ROOM;
    shape.columns = Math.max(1, Math.floor(width) - shape.left - 1);
    shape.pitch = Math.floor(Math.min(Math.max(room / view.rows, PITCH_LEAST), PITCH_MOST));
    shape.bar = shape.pitch > 12 ? shape.pitch - 4 : shape.pitch - 1;
    const height = AXIS + view.rows * shape.pitch + 4;
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * dots);
    canvas.height = Math.round(height * dots);
    pen.setTransform(dots, 0, 0, dots, 0, 0);
}

let asked = false;
function redraw() {
    if (!asked) requestAnimationFrame(draw);
    asked = true;
}
