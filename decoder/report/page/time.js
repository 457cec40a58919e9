/* SPDX-License-Identifier: BSD-3-Clause */
/* Where time goes: a table of call sites, or of functions. */
"use strict";

const octave = exponent => 2 ** exponent / 1e9; /* s */

/* Durations of single calls on one axis for all rows: each bar is twice as long as the one before. */
function axisOf(rows) {
    const all = rows.map(row => row.durations).filter(durations => durations);
    const first = Math.min(...all.map(d => d.octave)), last = Math.max(...all.map(d => d.octave + d.counts.length));
    return { first, n: last - first };
}

/* Few calls that take long are worth seeing: heights grow as square roots. */
function drawDurations(axis, { octave: begin, counts }) {
    const most = Math.max(...counts), bar = (n, i) => {
        const height = n === 0 ? 0 : Math.max(18 * Math.sqrt(n / most), 2);
        return make("rect", { x: 4 * (begin - axis.first + i), y: 19 - height, width: 3.4, height });
    };
    return make("svg", { class: "spark", viewBox: `0 0 ${4 * axis.n} 20`, preserveAspectRatio: "none", role: "img", "aria-label": "durations" },
        make("line", { x1: 0, x2: 4 * axis.n, y1: 19.5, y2: 19.5 }), ...counts.map(bar));
}

function durationsInWords(row) {
    const { octave: begin, counts, shortest, median, longest } = row.durations;
    const bars = counts.map((n, i) => [n, i]).filter(([n]) => n > 0).map(([n, i]) => count(n) + " of " + seconds(octave(begin + i)) + " to " + seconds(octave(begin + i + 1)));
    return `shortest ${seconds(shortest)}, median ${seconds(median)}, longest ${seconds(longest)}\n` + bars.join("\n");
}

/* The call sites of each function together. What ranks have of several sites is not known. */
function byFunction(rows) {
    const sums = new Map();
    for (const row of rows) {
        const sum = sums.get(row.function);
        if (!sum) {
            sums.set(row.function, { ...row, sites: 1 });
            continue;
        }
        for (const key of ["seconds", "share", "mean", "calls", "sent", "received"])
            if (row[key] !== undefined) sum[key] = (sum[key] || 0) + row[key];
        for (const key of ["least", "most"]) delete sum[key];
        sum.sites++;
        if (row.durations) sum.durations = sum.durations ? joinDurations(sum.durations, row.durations) : row.durations;
    }
    return [...sums.values()].sort((a, b) => (b.seconds || 0) - (a.seconds || 0));
}

/* The median of both together: that of their bars, for which the middle stands. */
function joinDurations(a, b) {
    const begin = Math.min(a.octave, b.octave), end = Math.max(...[a, b].map(d => d.octave + d.counts.length));
    const at = (d, exponent) => d.counts[exponent - d.octave] || 0;
    const counts = Array.from({ length: end - begin }, (none, i) => at(a, begin + i) + at(b, begin + i)), n = counts.reduce((sum, k) => sum + k, 0);
    let i = 0, before = 0;
    while (before + counts[i] <= (n - 1) / 2) before += counts[i++];
    const shortest = Math.min(a.shortest, b.shortest), longest = Math.max(a.longest, b.longest);
    return { shortest, longest, octave: begin, counts, median: Math.min(Math.max(1.5 * octave(begin + i), shortest), longest) };
}

function drawTime(section, body) {
    const rows = section.rows, timed = rows.some(row => row.seconds !== undefined), place = make("div", {});
    const draw = kind => {
        const shown = kind === "sites" ? rows : byFunction(rows);
        place.replaceChildren(makeTable(kind === "sites" ? "call sites" : "functions", timeColumns(shown, kind === "sites", timed), shown));
    };
    body.append(choices("rows", [["sites", "call sites"], ["functions", "functions"]], draw), place);
    draw("sites");
    if (rows.some(row => row.durations))
        body.append(make("p", { class: "help" }, "Durations of single calls, or of computing between two calls: each bar stands for durations up to twice as long as those of the bar before; " +
            "its height grows as the square root of their number. All rows have the same axis. Point at one to read the numbers."));
}

function timeColumns(rows, bySite, timed) {
    const byRank = bySite && rows.some(row => row.most !== undefined), largest = Math.max(...rows.map(row => row.share || 0));
    const of = (key, text) => ({ number: true, value: row => row[key] === undefined ? -1 : row[key], text: row => row[key] === undefined ? "–" : text(row[key]) });
    const rank = key => ({ number: true, value: row => row[key] === undefined ? -1 : row[key],
        text: row => row[key] === undefined ? "–" : seconds(row[key]) + " (" + row[key + "_rank"] + ")" });
    const columns = [{ title: "Function", value: row => row.function, text: row => row.function, least: bySite ? 12 : 18, wide: !bySite }];
    if (bySite) columns.push({ title: "Call site", value: row => row.site || "", text: row => row.site || "", wide: true });
    else columns.push({ title: "Call sites", ...of("sites", count), text: row => row.site === undefined ? "–" : count(row.sites) });
    if (timed) columns.push({ title: "Share", ...of("share", percent), bar: row => (row.share || 0) / largest, least: 5.5 },
        { title: "Mean", ...of("mean", seconds), least: 6.5 });
    if (timed && timesBefore && bySite) columns.push({ title: "Mean in A", ...numberOf(row => timesBefore.get(rows.indexOf(row)), seconds) });
    if (byRank) columns.push({ title: "Min (rank)", ...rank("least") }, { title: "Max (rank)", ...rank("most") });
    columns.push({ title: "Calls", ...of("calls", count), least: 6 });
    if (rows.some(row => row.durations)) {
        const axis = axisOf(rows), median = row => row.durations ? row.durations.median : -1;
        columns.push({ title: "Median", least: 6.5, number: true, value: median, text: row => row.durations ? seconds(row.durations.median) : "–" },
            { title: "Durations, " + seconds(octave(axis.first)) + " – " + seconds(octave(axis.first + axis.n)), least: 15, value: median, text: () => "",
                picture: row => row.durations && drawDurations(axis, row.durations), hint: row => row.durations ? durationsInWords(row) : "" });
    }
    columns.push({ title: "Sent", ...of("sent", bytes) }, { title: "Received", ...of("received", bytes) });
    return columns;
}
