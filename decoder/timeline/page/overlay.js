/* SPDX-License-Identifier: BSD-3-Clause */
/* What the analysis found, over the calls: waiting, hatched; the critical path; the longest waits, to go to. The page
 * of a report has it. Lists are [line, from, to, …]; ns. */
"use strict";

const withWaits = toggle("waiting", data.waits && data.waits.length > 0);
const withPath = toggle("critical path", data.path && data.path.length > 0, !(data.waits && data.waits.length > 0));

const HATCH = 6; /* pixels from stripe to stripe */

function drawWaits() {
    pen.strokeStyle = inks().hatch;
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (let at = 0; at < data.waits.length; at += 3) {
        const line = data.waits[at];
        const begin = Math.max(x(data.waits[at + 1]), shape.left), end = Math.min(x(data.waits[at + 2]), shape.left + shape.columns);
        if (!isSeen(line) || end - begin < 2) continue;
        const top = y(line), bottom = top + shape.bar;
        /* Stripes stand where they are on the canvas, so that neighbours fit: x + y is a multiple of HATCH. */
        for (let sum = Math.ceil((begin + top) / HATCH) * HATCH; sum < end + bottom; sum += HATCH) {
            const low = Math.max(top, sum - end), high = Math.min(bottom, sum - begin);
            pen.moveTo(sum - low, low);
            pen.lineTo(sum - high, high);
        }
    }
    pen.stroke();
}

function drawPath() {
    const list = data.path;
    pen.strokeStyle = inks().mark;
    pen.lineWidth = Math.min(3, Math.max(1.5, shape.bar / 5));
    pen.beginPath();
    for (let at = 0; at < list.length; at += 3) {
        if (list[at + 2] < view.from || list[at + 1] > view.to) continue;
        const height = y(list[at]) + shape.bar / 2, begin = Math.max(x(list[at + 1]), -10), end = Math.min(x(list[at + 2]), canvas.width + 10);
        if (at > 0) {
            pen.moveTo(x(list[at + 1]), y(list[at - 3]) + shape.bar / 2);
            pen.lineTo(x(list[at + 1]), height);
        }
        pen.moveTo(begin, height);
        pen.lineTo(end, height);
    }
    pen.stroke();
}

/* ---- the longest waits --------------------------------------------------------------------------------------- */

let marked = null; /* a stretch of a line that has a frame */
function drawMark() {
    if (!marked || !isSeen(marked[0])) return;
    pen.strokeStyle = inks().mark;
    pen.lineWidth = 2;
    pen.strokeRect(x(marked[1]), y(marked[0]) - 1, Math.max(2, x(marked[2]) - x(marked[1])), shape.bar + 2);
}
function goToMarked(line, from, to) {
    marked = [line, from, to];
    goTo(line, from, to);
}

if (data.worst && data.worst.length > 0) {
    const list = make("select", tools, undefined, "worst");
    list.setAttribute("aria-label", "longest waits");
    make("option", list, "longest waits …").value = "";
    data.worst.forEach(([, , , words], i) => { make("option", list, words).value = i; });
    list.addEventListener("change", () => { if (list.value !== "") goToMarked(...data.worst[list.value]); });
}
