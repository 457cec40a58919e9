/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the page, and does what mouse, keys and the report around it ask for. */
"use strict";

button(tools, "−", "less detail (−)", () => zoom(2));
button(tools, "+", "more detail (+)", () => zoom(0.5));
if (data.begin > data.from) button(tools, "run", "the run, after MPI_Init (1)", () => show(data.begin, data.to));
button(tools, "all", "all, with MPI_Init (0)", () => { showLines(0, lines.length); show(data.from, data.to); });
make("span", tools, "wheel: zoom; drag or ← →: move; + −: zoom; 0: all; with Shift drag a box to zoom to; with Alt the wheel, or < >: " +
    "fewer or more lines; drag along the times to measure; click a message to mark it", "help");

let box = null; /* that is being dragged: [x, y, x, y] */

function draw() {
    asked = false;
    measure();
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const columns = new Float64Array(shape.columns * KINDS);
    let drawn = 0, said = "";
    pen.fillStyle = inks().rest;
    const inView = [...lines.entries()].slice(view.first, view.first + view.rows);
    for (const [i, line] of inView) {
        const begin = Math.max(line.begin, view.from), end = Math.min(line.end, view.to);
        if (begin < end) pen.fillRect(x(begin), y(i), x(end) - x(begin), shape.bar);
    }
    if (withRegions.checked) withinLines(drawRegions);
    if (withBands.checked) said += withinLines(drawBands);
    for (const [i, line] of inView) {
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
    if (withWaits.checked) withinLines(drawWaits);
    drawAxis();
    drawLabels();
    if (withMessages.checked) said = withinLines(drawMessages) + said;
    if (withPath.checked) withinLines(drawPath);
    withinLines(drawMark);
    drawRange();
    if (box) pen.strokeRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
    drawLegend();
    viewText.textContent = timeText(view.from) + " – " + timeText(view.to) + " (" + timeText(view.to - view.from) +
        "), " + drawn + (drawn === 1 ? " call" : " calls") + " large enough to be seen" +
        (view.rows < lines.length ? ", lines " + lines[view.first].label + " to " + lines[view.first + view.rows - 1].label : "") + said;
}

/* ---- mouse ------------------------------------------------------------------------------------------------------ */

canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 30 : 1; /* lines or pixels */
    const { left, top } = canvas.getBoundingClientRect();
    const factor = Math.exp(Math.min(Math.max(event.deltaY * unit, -400), 400) * 0.002);
    if (event.altKey) zoomLines(factor, view.first + (event.clientY - top - AXIS) / shape.pitch);
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) move((event.deltaX || event.deltaY) * unit / shape.columns);
    else zoom(factor, timeAt(event.clientX - left));
    tip.hidden = true;
}, { passive: false });

let drag = null;
const placeOf = event => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
};
canvas.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    const [px, py] = placeOf(event);
    drag = { px, py, what: py < AXIS ? "range" : event.shiftKey ? "box" : "move", ...view, moved: false };
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    canvas.classList.toggle("dragged", drag.what === "move");
    tip.hidden = true;
});
canvas.addEventListener("pointermove", event => {
    if (!drag) return showTip(event);
    const [px, py] = placeOf(event);
    drag.moved = drag.moved || Math.hypot(px - drag.px, py - drag.py) > 3;
    if (drag.what === "range") {
        measureRange(timeAt(drag.px), timeAt(px));
    } else if (drag.what === "box") {
        box = [drag.px, drag.py, px, py];
        redraw();
    } else {
        const by = (drag.px - px) / shape.columns * (drag.to - drag.from);
        showLines(drag.first + (drag.py - py) / shape.pitch, drag.rows);
        show(drag.from + by, drag.to + by);
    }
});
canvas.addEventListener("pointerup", event => {
    const [px, py] = placeOf(event);
    if (drag && box) {
        const rows = [drag.py, py].map(at => Math.min(Math.max(lineAt(at), view.first), view.first + view.rows - 1)).sort((a, b) => a - b);
        const times = [drag.px, px].map(timeAt).sort((a, b) => a - b);
        showLines(rows[0], rows[1] - rows[0] + 1);
        show(...times);
    } else if (drag && drag.what === "move" && !drag.moved) {
        chooseMessage(messageAt(px, py));
    }
});
for (const end of ["pointerup", "pointercancel"])
    canvas.addEventListener(end, () => { drag = box = null; canvas.classList.remove("dragged"); });
canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
canvas.addEventListener("dblclick", event => { if (placeOf(event)[1] >= AXIS) zoom(0.25, timeAt(placeOf(event)[0])); });

/* ---- keys, and the report --------------------------------------------------------------------------------------- */

const KEYS = {
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "_": () => zoom(2),
    "ArrowLeft": () => move(-0.2), "ArrowRight": () => move(0.2),
    "<": () => zoomLines(0.5), ">": () => zoomLines(2),
    "1": () => show(data.begin, data.to),
    "0": () => { showLines(0, lines.length); show(data.from, data.to); },
    "Home": () => show(data.from, data.to),
    "z": () => { if (range) show(...range); }, "Escape": () => measureRange(0, 0), "/": () => search.focus(),
};
document.addEventListener("keydown", event => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT"].includes(event.target.tagName)) return;
    event.preventDefault();
    KEYS[event.key]();
});

/* A report sends what it wants to be seen: {worst: number}, or {find: text}. */
window.addEventListener("message", ({ data: asked }) => {
    if (!asked || typeof asked !== "object") return;
    if (data.worst && data.worst[asked.worst]) goToMarked(...data.worst[asked.worst]);
    if (typeof asked.find === "string") {
        search.value = asked.find;
        find(asked.find);
        step(1);
    }
});

window.addEventListener("resize", redraw);
dark.addEventListener("change", redraw);
redraw();
