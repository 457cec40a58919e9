/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting: three coupled trees. Each column is about what is picked to its left: metric, call path, system. A node that is closed
 * shows all below it, too; an open one only what is its own. */
"use strict";

function drawWaiting(section, body) {
    const { metrics, paths, system } = section, n = system.length;
    const own = metrics.map(() => new Map()); /* by metric: path -> values by system, seconds or numbers */
    for (const [metric, path, values] of section.values)
        own[metric].set(path, metrics[metric].unit === "sec" ? values.map(value => value * 1e-6) : values);
    const below = metrics.map(() => []);
    metrics.forEach((metric, i) => { if (metric.parent >= 0) below[metric.parent].push(i); });

    /* ---- values: path -> values by system ---- */
    function add(to, from, sign) {
        for (const [path, values] of from) {
            const sum = to.get(path) || new Float64Array(n);
            values.forEach((value, i) => { sum[i] += sign * value; });
            to.set(path, sum);
        }
    }
    const whole = metrics.map(() => null);
    function inclusive(m) {
        if (whole[m]) return whole[m];
        const all = new Map();
        add(all, own[m], 1);
        for (const child of below[m]) if (!metrics[child].part && metrics[child].unit === metrics[m].unit) add(all, inclusive(child), 1);
        return whole[m] = all;
    }
    function exclusive(m) {
        const rest = new Map();
        add(rest, inclusive(m), 1);
        for (const child of below[m]) if (metrics[child].unit === metrics[m].unit) add(rest, inclusive(child), -1);
        return rest;
    }
    const valuesOf = (m, open) => open ? exclusive(m) : inclusive(m);
    const total = values => { let sum = 0; for (const value of values) sum += value; return sum; };
    const totals = metrics.map((metric, m) => [[...inclusive(m).values()], [...exclusive(m).values()]].map(list => list.reduce((sum, values) => sum + total(values), 0)));
    /* What is 100 per cent: all time, or all of what is counted. */
    const time = metrics.findIndex(metric => metric.key === "time");
    const root = m => metrics[m].unit === "sec" ? time : metrics[m].parent < 0 ? m : root(metrics[m].parent);

    /* ---- what is picked ---- */
    let inPercent = true, byPath = [], bySystem = new Float64Array(n);
    const unit = () => metrics[metricTree.at].unit;
    const base = () => totals[root(metricTree.at)][0] || 1;
    const written = (value, of, kind) => inPercent && kind === "sec" ? (100 * value / of).toFixed(1) + " %"
        : kind === "sec" ? seconds(value) : kind === "bytes" ? bytes(value) : count(value);

    const metricTree = makeTree("metrics", metrics.map(m => ({ parent: m.parent, label: m.name })), {
        value: (m, open) => ({ value: totals[m][open ? 1 : 0], m }),
        text: v => written(v.value, totals[root(v.m)][0] || 1, metrics[v.m].unit),
        share: v => v.value / (totals[root(v.m)][0] || 1),
        title: m => metrics[m].text, picked: choosePaths });
    const pathTree = makeTree("call sites", paths.map(path => ({ parent: path.parent,
        label: path.function + (path.line ? " (" + path.file + ":" + path.line + ")" : "") })), {
        value: (p, open) => byPath[p] ? total(byPath[p][open ? 1 : 0]) : 0,
        text: v => written(v, base(), unit()), share: v => v / base(), picked: chooseSystem });
    const hosts = section.hosts.map(name => ({ parent: -1, label: name }));
    const systemTree = makeTree("system", [...hosts, ...system.map(item => ({ parent: item.host, label: "rank " + item.label }))], {
        value: s => s >= hosts.length ? bySystem[s - hosts.length]
            : system.reduce((sum, item, i) => sum + (item.host === s ? bySystem[i] : 0), 0),
        text: v => written(v, base(), unit()), share: v => v / (Math.max(...bySystem) || 1), picked: () => {} });

    function choosePaths() {
        const values = valuesOf(metricTree.at, metricTree.isOpen(metricTree.at));
        byPath = paths.map(() => null);
        for (const [p, list] of values) byPath[p] = [Float64Array.from(list), Float64Array.from(list)];
        for (let p = paths.length - 1; p > 0; p--) { /* children come behind their parents */
            const up = paths[p].parent;
            if (!byPath[p]) continue;
            byPath[up] = byPath[up] || [new Float64Array(n), new Float64Array(n)];
            byPath[p][0].forEach((value, i) => { byPath[up][0][i] += value; });
        }
        pathTree.hide(p => p > 0 && (!byPath[p] || total(byPath[p][0]) < 1e-12));
        if (!byPath[pathTree.at] || total(byPath[pathTree.at][1]) === 0) pathTree.show(mostExpensive());
        chooseSystem();
    }
    /* The path that has most of its own. */
    function mostExpensive() {
        let most = 0;
        byPath.forEach((values, p) => { if (values && total(values[1]) > (byPath[most] ? total(byPath[most][1]) : 0)) most = p; });
        return most;
    }
    function chooseSystem() {
        const values = byPath[pathTree.at];
        bySystem = values ? values[pathTree.isOpen(pathTree.at) ? 1 : 0] : new Float64Array(n);
        systemTree.redraw();
        drawPictures();
    }

    /* ---- the page ---- */
    const pictures = make("div", { class: "pictures" });
    const parts = report.sections.communication.parts;
    function drawPictures() {
        const text = value => written(value, base(), unit());
        const index = new Map();
        system.forEach((item, i) => index.set(item.rank, i));
        /* Of ranks that are one of the system, each has their mean. */
        const itemOf = rank => { while (rank > 0 && !index.has(rank)) rank--; return index.get(rank); };
        const of = rank => (bySystem[itemOf(rank)] || 0) / (system[itemOf(rank)] || { ranks: 1 }).ranks;
        const mean = rank => (system[itemOf(rank)] || { ranks: 1 }).ranks > 1 ? " (mean of ranks " + system[itemOf(rank)].label + ")" : "";
        const mostOf = Math.max(...system.map((item, i) => bySystem[i] / item.ranks), 0) || 1;
        pictures.replaceChildren(drawBars([...bySystem], system.map(item => item.label), text),
            ...parts.slice(0, 1).map(part => make("figure", {}, drawTopology(part, rank => of(rank) / mostOf, rank => text(of(rank)) + mean(rank)))));
    }
    const column = (title, tree) => make("div", { class: "column" }, make("h3", {}, title), tree.box);
    body.append(make("p", { class: "help" },
        "A closed node has all below it, an open one only what is its own. Click or Enter opens and closes; arrow keys move. ",
        ...drawScale("squares of metrics and call sites are shares of the run, those of the system of its largest value")), choices("numbers", [["percent", "per cent"], ["absolute", "absolute"]], key => {
        inPercent = key === "percent";
        metricTree.redraw();
        pathTree.redraw();
        chooseSystem();
    }), make("div", { class: "columns" }, column("Metric", metricTree), column("Call site", pathTree), column("System", systemTree)), pictures);
    if (section.worst.length > 0)
        body.append(make("h3", {}, "Longest waits: click one to see it on the timeline"), make("ol", { class: "worst" }, ...section.worst.map((words, i) =>
            make("li", {}, make("button", { type: "button", onclick: () => { if (showOnTimeline) showOnTimeline({ worst: i }); } }, words)))));

    const causes = metrics.map((metric, m) => m).filter(m => metrics[m].cause).sort((a, b) => totals[b][0] - totals[a][0]);
    metricTree.hide(m => totals[m][0] === 0);
    if (causes.length > 0 && totals[causes[0]][0] > 0) metricTree.show(causes[0]);
    else metricTree.openTo(1);
    systemTree.openTo(1);
    choosePaths();
    redraws.push(() => { metricTree.redraw(); pathTree.redraw(); chooseSystem(); });
}
