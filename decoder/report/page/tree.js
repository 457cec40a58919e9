/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree to open, close and pick from, with the mouse or the keyboard. */
"use strict";

/* nodes: [{parent, label, …}], parents before their children, parent -1: none. value(i, open): a number for what is shown of
 * a node; text(value), share(value): how. picked(i): called when another node, or the same in another state, is picked. */
function makeTree(name, nodes, { value, text, share, picked, most = 14, title }) {
    const children = nodes.map(() => []), depth = [];
    const roots = [];
    for (const [i, node] of nodes.entries()) {
        (node.parent < 0 ? roots : children[node.parent]).push(i);
        depth[i] = node.parent < 0 ? 0 : depth[node.parent] + 1;
    }
    const open = nodes.map(() => false);
    let lines = [], at = 0, hidden = () => false;
    const list = makeList(most, line);
    list.box.setAttribute("role", "tree");
    list.box.setAttribute("aria-label", name);

    function line(k) {
        const i = lines[k], isOpen = open[i] && children[i].length > 0, v = value(i, isOpen), leaf = children[i].every(child => hidden(child));
        const square = make("span", { class: "square" });
        square.style.background = colour(share(v));
        const sign = make("span", { class: "sign", "aria-hidden": "true" }, leaf ? "" : open[i] ? "▾" : "▸");
        const row = make("div", { class: "row node", role: "treeitem", "aria-level": depth[i] + 1, "aria-selected": i === at,
            "aria-expanded": leaf ? undefined : open[i], title: title ? title(i) : nodes[i].label,
            onclick: event => { if (event.target === sign || i === at) toggle(i); pick(i); } },
        sign, square, make("span", { class: "number" }, isOpen && share(v) === 0 ? "" : text(v)), make("span", { class: "words" }, nodes[i].label));
        row.style.paddingLeft = depth[i] * 14 + "px";
        return row;
    }
    function layOut() {
        lines = [];
        const add = list => list.forEach(i => {
            if (hidden(i)) return;
            lines.push(i);
            if (open[i]) add(children[i]);
        });
        add(roots);
        list.set(lines.length);
    }
    function toggle(i) {
        if (children[i].length > 0) open[i] = !open[i];
        layOut();
    }
    function pick(i) {
        at = i;
        list.reveal(lines.indexOf(i));
        picked(i);
    }
    list.box.addEventListener("keydown", event => {
        const k = lines.indexOf(at), moves = { ArrowDown: k + 1, ArrowUp: k - 1, Home: 0, End: lines.length - 1 };
        if (event.key in moves) pick(lines[Math.min(Math.max(moves[event.key], 0), lines.length - 1)]);
        else if (event.key === "ArrowRight" && !open[at] || event.key === "ArrowLeft" && open[at]) { toggle(at); pick(at); }
        else if (event.key === "ArrowLeft" && nodes[at].parent >= 0) pick(nodes[at].parent);
        else if (event.key === "Enter" || event.key === " ") { toggle(at); pick(at); }
        else return;
        event.preventDefault();
    });
    return {
        box: list.box,
        get at() { return at; },
        isOpen: i => open[i] && children[i].length > 0,
        /* Opens all above a node, and has it picked; nobody is told. */
        show(i) {
            for (let up = nodes[i].parent; up >= 0; up = nodes[up].parent) open[up] = true;
            at = i;
            layOut();
        },
        openTo(level) { nodes.forEach((node, i) => { open[i] = depth[i] < level; }); layOut(); },
        hide(which) { hidden = which; layOut(); },
        redraw: () => list.set(lines.length),
    };
}
