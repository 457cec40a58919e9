/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of `refrain report`: what all its parts use. The data are those of report_sections.h. All elements are made here,
 * and what a trace has goes into them as text. */
"use strict";

const report = JSON.parse(document.getElementById("data").textContent);

/* make("p", {class: "says", onclick: action}, "text", element, …) */
function make(tag, attributes, ...children) {
    const svg = ["svg", "g", "circle", "line", "rect", "text", "title"].includes(tag);
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (value !== undefined) element.setAttribute(name, value);
    }
    element.append(...children.filter(child => child !== undefined));
    return element;
}

/* ---- numbers in words ------------------------------------------------------------------------------------ */

const digits = (value, most) => value.toLocaleString("en", { maximumFractionDigits: most });
const percent = share => (100 * share).toFixed(1) + " %";

function scaled(value, units) {
    const [name, scale] = units.find(([, scale]) => scale <= Math.abs(value)) || units[units.length - 1];
    const part = value / scale;
    return digits(part, part >= 100 ? 0 : part >= 10 ? 1 : 2) + " " + name;
}
const seconds = value => value === 0 ? "0 s" : scaled(value, [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]]);
const bytes = value => value < 1000 ? value + " B" : scaled(value, [["TB", 1e12], ["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]);
const count = value => digits(value, 0);

/* ---- colours --------------------------------------------------------------------------------------------- */

/* From little to much, told apart by lightness alone: it does not take an eye for colours. */
const dark = matchMedia("(prefers-color-scheme: dark)");
const SCALES = {
    light: [[245, 245, 247], [253, 200, 120], [214, 104, 30], [110, 26, 22]],
    dark: [[40, 42, 48], [110, 62, 30], [214, 122, 50], [255, 226, 170]],
};
function colour(share) {
    const scale = SCALES[dark.matches ? "dark" : "light"], at = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
    const i = Math.min(Math.floor(at), scale.length - 2), part = at - i;
    return "rgb(" + scale[i].map((from, k) => Math.round(from + (scale[i + 1][k] - from) * part)).join(",") + ")";
}

/* What the colours say: "▭▭▭▭ from little to much: …". */
function drawScale(words) {
    const squares = [0, 0.33, 0.67, 1].map(share => {
        const square = make("span", { class: "square" });
        whenColoursChange(() => { square.style.background = colour(share); });
        return square;
    });
    return [...squares, "from nothing to all: " + words + "."];
}

/* Pictures whose colours are computed are drawn anew when those of the page change. */
const redraws = [];
function whenColoursChange(draw) {
    redraws.push(draw);
    draw();
}
dark.addEventListener("change", () => redraws.forEach(draw => draw()));

/* ---- parts of the page ----------------------------------------------------------------------------------- */

/* Buttons of which one is on: choices([["bytes", "Bytes"], …], key => …) */
function choices(label, list, chosen) {
    const group = make("div", { class: "choices", role: "group", "aria-label": label });
    const choose = key => {
        for (const button of group.children) button.setAttribute("aria-pressed", button.dataset.key === key);
        chosen(key);
    };
    for (const [key, text] of list) group.append(make("button", { "data-key": key, type: "button", onclick: () => choose(key) }, text));
    for (const button of group.children) button.setAttribute("aria-pressed", button.dataset.key === list[0][0]);
    return group;
}
