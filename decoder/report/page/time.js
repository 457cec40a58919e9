/* SPDX-License-Identifier: BSD-3-Clause */
/* Where time goes: a table of call sites. */
"use strict";

function drawTime(section, body) {
    const rows = section.rows, timed = rows.some(row => row.seconds !== undefined), byRank = rows.some(row => row.most !== undefined);
    const largest = Math.max(...rows.map(row => row.share || 0));
    const of = (key, text) => ({ number: true, value: row => row[key] === undefined ? -1 : row[key], text: row => row[key] === undefined ? "–" : text(row[key]) });
    const rank = key => ({ number: true, value: row => row[key] === undefined ? -1 : row[key],
        text: row => row[key] === undefined ? "–" : seconds(row[key]) + " (" + row[key + "_rank"] + ")" });
    const columns = [
        { title: "Function", value: row => row.function, text: row => row.function, least: 12 },
        { title: "Call site", value: row => row.site || "", text: row => row.site || "", wide: true }];
    if (timed) columns.push({ title: "Share", ...of("share", percent), bar: row => (row.share || 0) / largest },
        { title: "Mean", ...of("mean", seconds) });
    if (timed && timesBefore) columns.push({ title: "Mean in A", ...numberOf(row => timesBefore.get(rows.indexOf(row)), seconds) });
    if (byRank) columns.push({ title: "Min (rank)", ...rank("least") }, { title: "Max (rank)", ...rank("most") });
    columns.push({ title: "Calls", ...of("calls", count) }, { title: "Sent", ...of("sent", bytes) }, { title: "Received", ...of("received", bytes) });
    body.append(makeTable("call sites", columns, rows));
}
