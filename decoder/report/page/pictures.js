/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of ranks as bars and on the topology; a matrix as a square of colours. */
"use strict";

/* Values by the system's items, the largest is as high as the picture. */
function drawBars(values, labels, text) {
    const most = Math.max(...values, 0), width = 100 / values.length;
    const picture = make("svg", { class: "bars", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img", "aria-label": "values by rank" });
    values.forEach((value, i) => {
        const height = most > 0 ? 40 * value / most : 0;
        const bar = make("g", {}, make("title", {}, "rank " + labels[i] + ": " + text(value)),
            make("rect", { x: i * width, y: 0, width, height: 40, class: "behind" }),
            make("rect", { x: i * width + width * 0.06, y: 40 - height, width: width * 0.88, height, class: "bar" }));
        picture.append(bar);
    });
    const axis = make("div", { class: "axis" }, make("span", {}, "rank " + labels[0]), make("span", {}, "largest: " + text(most)),
        make("span", {}, labels[labels.length - 1]));
    return make("figure", {}, picture, axis);
}

/* A part of the topology; share(rank) is what a rank's colour says, text(rank) what is said when one points at it. */
function drawTopology(part, share, text) {
    const room = part.step * 0.6;
    const picture = make("svg", { class: "topology", viewBox: [-room, -room, part.width + 2 * room, part.height + 2 * room].join(" "),
        role: "img", "aria-label": "topology: " + part.name });
    const at = new Map(part.points.map(([rank, x, y]) => [rank, { x, y }]));
    picture.style.maxWidth = Math.max(160, Math.min(900, (part.width + 2 * room) * 44 / part.step)) + "px";
    for (const [a, b, x, y] of part.edges) {
        const from = at.get(a), length = Math.hypot(x, y) || 1;
        if (!from || !at.get(b)) continue;
        const to = x === undefined ? at.get(b) : { x: from.x + x / length * room * 0.9, y: from.y + y / length * room * 0.9 };
        picture.append(make("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-width": part.step * 0.04 }));
    }
    const numbered = part.points.length <= 256;
    for (const [rank, x, y] of part.points) {
        const s = share(rank), circle = make("circle", { cx: x, cy: y, r: part.step * 0.3, "stroke-width": part.step * 0.02 });
        circle.style.fill = colour(s);
        const label = make("text", { x, y, "font-size": part.step * 0.24, class: (s > 0.5) !== dark.matches ? "light" : "deep" }, String(rank));
        picture.append(make("g", {}, make("title", {}, "rank " + rank + ": " + text(rank)), circle, numbered ? label : undefined));
    }
    return picture;
}

/* cells: [row, column, value]; labels of rows and columns. Colours are by logarithm: small values show, too. */
function drawMatrix(labels, cells, text) {
    const n = labels.length, size = Math.max(2, Math.min(28, Math.floor(560 / n)));
    const left = 8 + 7 * Math.max(...labels.map(label => label.length)), top = 18; /* room for the ranks' numbers */
    const canvas = make("canvas", { class: "matrix", width: left + n * size, height: top + n * size, role: "img", "aria-label": "who sends to whom",
        "data-left": left, "data-top": top, "data-size": size });
    const by = new Map(cells.map(([row, column, value]) => [row * n + column, value]));
    const most = Math.max(...cells.map(cell => cell[2]), 1);
    const share = value => value > 0 ? 0.12 + 0.88 * Math.log1p(value) / Math.log1p(most) : 0;
    const said = make("output", { class: "said" }, "Rows send, columns receive. The strongest colour is " + text(most) + ", the others are by logarithm. Point at a cell.");
    const pen = canvas.getContext("2d");
    function drawNumbers() {
        const down = Math.ceil(14 / size), across = Math.ceil(left / size);
        pen.font = "11px sans-serif";
        pen.fillStyle = getComputedStyle(document.body).color;
        pen.textBaseline = "middle";
        labels.forEach((label, i) => {
            pen.textAlign = "right";
            if (i % down === 0) pen.fillText(label, left - 4, top + (i + 0.5) * size);
            pen.textAlign = "center";
            if (i % across === 0) pen.fillText(label, left + (i + 0.5) * size, top / 2);
        });
    }
    whenColoursChange(() => {
        pen.clearRect(0, 0, canvas.width, canvas.height);
        drawNumbers();
        pen.fillStyle = colour(0);
        pen.fillRect(left, top, n * size, n * size);
        for (const [row, column, value] of cells) {
            pen.fillStyle = colour(share(value));
            pen.fillRect(left + column * size, top + row * size, size - (size > 4), size - (size > 4));
        }
    });
    canvas.addEventListener("pointermove", event => {
        const box = canvas.getBoundingClientRect();
        const scale = canvas.width / box.width;
        const column = Math.floor(((event.clientX - box.left) * scale - left) / size), row = Math.floor(((event.clientY - box.top) * scale - top) / size);
        if (row < 0 || column < 0 || row >= n || column >= n) return;
        said.textContent = "rank " + labels[row] + " to " + labels[column] + ": " + text(by.get(row * n + column) || 0);
    });
    return make("figure", {}, canvas, said);
}
