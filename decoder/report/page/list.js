/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and tables of any length: only what is seen is there. */
"use strict";

const ROW = 24; /* pixels, as in report.css */

/* A box of n rows that are made by `row(i)` when they come into view. */
function makeList(most, row) {
    const room = make("div", { class: "room" }), box = make("div", { class: "list", tabindex: "0" }, room);
    let n = 0, first = -1, last = -1;
    function draw(anew) {
        const begin = Math.max(0, Math.floor(box.scrollTop / ROW) - 5);
        const end = Math.min(n, begin + Math.ceil(Math.max(box.clientHeight, ROW) / ROW) + 10);
        if (!anew && begin === first && end === last) return;
        first = begin;
        last = end;
        const rows = [];
        for (let i = begin; i < end; i++) {
            const element = row(i);
            element.style.top = i * ROW + "px";
            rows.push(element);
        }
        room.replaceChildren(...rows);
    }
    function set(length) {
        n = length;
        room.style.height = n * ROW + "px";
        box.style.height = Math.min(n, most) * ROW + 2 + "px";
        draw(true);
    }
    box.addEventListener("scroll", () => draw(false));
    new ResizeObserver(() => requestAnimationFrame(() => draw(false))).observe(box);
    /* Paper does not scroll. */
    addEventListener("beforeprint", () => { box.style.height = Math.min(n, 200) * ROW + 2 + "px"; draw(true); });
    addEventListener("afterprint", () => set(n));
    function reveal(i) {
        if (i * ROW < box.scrollTop) box.scrollTop = i * ROW;
        else if ((i + 1) * ROW > box.scrollTop + box.clientHeight) box.scrollTop = (i + 1) * ROW - box.clientHeight;
        draw(true);
    }
    return { box, set, reveal };
}

/* columns: [{title, value: row => number or text, text: row => what is shown, bar: row => share, kind: row => its colour, picture: row => an element
 * in place of the text, hint: row => what it says when it is pointed at, indent: row => is it part of a row above, wide, number, least: width in em}, …].
 * Columns can be sorted by; what is typed above leaves the rows that have it. */
function makeTable(name, columns, rows, most = 16) {
    let shown = rows.slice(), by = -1, down = true;
    /* In em; what names places is not cut, as far as there is reason in it. */
    const longest = column => rows.slice(0, 200).reduce((most, row) => Math.max(most, column.text(row).length), 0);
    const widest = innerWidth < 760 ? 16 : 30;
    const widths = columns.map(column => column.least || (column.wide ? Math.min(Math.max(0.64 * longest(column) + 1, 10), widest) : column.number ? 7.5 : 9));
    const template = columns.map((column, i) => `minmax(${widths[i]}em, ${column.wide ? 3 : 1}fr)`).join(" ");
    const cell = (column, row) => {
        const text = column.text(row), picture = column.picture && column.picture(row), share = column.bar && column.bar(row);
        const element = make("div", { role: "cell", class: column.number ? "number" : "words", title: column.hint ? column.hint(row) : text }, picture || text);
        if (column.indent && column.indent(row)) element.style.paddingLeft = "1.6em";
        if (share > 0) element.style.backgroundImage = `linear-gradient(to right, var(--${column.kind ? column.kind(row) : "bar"}) ${100 * share}%, transparent 0)`;
        return element;
    };
    const list = makeList(most, i => {
        const line = make("div", { role: "row", class: "row" }, ...columns.map(column => cell(column, shown[i])));
        line.style.gridTemplateColumns = template;
        return line;
    });
    const head = make("div", { role: "row", class: "row head" }, ...columns.map((column, i) =>
        make("button", { type: "button", role: "columnheader", class: column.number ? "number" : "words", onclick: () => sort(i) }, column.title)));
    head.style.gridTemplateColumns = template;
    function sort(i) {
        down = i === by ? !down : !!columns[i].number;
        by = i;
        for (const [k, button] of [...head.children].entries())
            button.setAttribute("aria-sort", k !== i ? "none" : down ? "descending" : "ascending");
        order();
    }
    function order() {
        const value = by >= 0 && columns[by].value;
        if (value) shown.sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (down ? -1 : 1));
        list.set(shown.length);
    }
    function find(words) {
        shown = rows.filter(row => columns.some(column => !column.number && column.text(row).toLowerCase().includes(words)));
        order();
    }
    const table = make("div", { class: "table", role: "table", "aria-label": name }, head, list.box);
    table.style.minWidth = widths.reduce((sum, width) => sum + width, 2) + "em";
    const search = rows.length > most && make("input", { type: "search", placeholder: "find", "aria-label": "find in " + name,
        oninput: event => find(event.target.value.toLowerCase()) });
    list.set(shown.length);
    const hint = make("p", { class: "help" }, "More columns to the right: scroll sideways."), wide = make("div", { class: "wide" }, table);
    new ResizeObserver(() => requestAnimationFrame(() => { hint.hidden = wide.scrollWidth <= wide.clientWidth + 1; })).observe(wide);
    return make("div", {}, search || undefined, hint, wide);
}
