/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests/cli/report.sh puts at the end of a page of `refrain report`: it does what a user would do, and leaves what became of
 * it in an element, a line a check. `faults` has what went wrong since the page began. */
(async () => {
    const checks = [];
    const check = (name, good, found) => checks.push((good ? "ok" : "not ok") + " - " + name + (good ? "" : ": " + found));
    const finish = () => {
        const said = document.createElement("pre");
        said.id = "checks";
        said.textContent = checks.join("\n") + "\nend";
        document.body.append(said);
    };
    const pause = () => new Promise(done => setTimeout(done, 50));
    const all = (selector, within = document) => [...within.querySelectorAll(selector)];
    /* Under virtual time nobody else tells of it. */
    const scroll = async (list, top) => {
        list.scrollTop = top;
        list.dispatchEvent(new Event("scroll"));
        await pause();
    };
    const one = id => document.getElementById(id);
    try {
        const { sections } = report;
        await pause();
        check("heading", document.querySelector("h1").textContent === report.title, document.querySelector("h1").textContent);
        check("nothing of the trace is markup", all("main b, img, h1 *, header p *, main script").length === 0, "an element");
        check("nothing is loaded", performance.getEntriesByType("resource").length === 0, "a resource");
        check("all sections, in order", all("main > section").map(s => s.id).join() === Object.keys(sections).join(), all("main > section").map(s => s.id));
        check("a link to each", all("nav a").every(link => document.querySelector(link.hash)), "a link");
        for (const [key, section] of Object.entries(sections)) {
            check(key + " says what is to be seen", one(key).querySelector(".says").textContent === section.says, one(key).textContent.slice(0, 80));
            check(key + " names its command", one(key).querySelector("code").textContent === section.command, "another");
            check(key + " is within the window", one(key).getBoundingClientRect().right <= innerWidth + 1, one(key).getBoundingClientRect().right);
            if (section.missing) check(key + " says what is missing", one(key).querySelector(".missing"), "nothing");
        }
        check("the page does not scroll sideways", document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollWidth);

        /* The table: all rows can be reached, few are there; columns sort; what is typed is found. */
        const table = one("time").querySelector(".table"), list = table.querySelector(".list"), rows = () => all(".row", list);
        const words = row => row.children[0].textContent + "|" + row.children[1].textContent;
        const wanted = row => row.function + "|" + (row.site || "");
        check("the first row", words(rows()[0]) === wanted(sections.time.rows[0]), words(rows()[0]));
        await scroll(list, list.scrollHeight);
        check("the last row", words(rows().pop()) === wanted(sections.time.rows[sections.time.rows.length - 1]), words(rows().pop()));
        const calls = all(".head button", table).find(button => button.textContent === "Calls");
        calls.click();
        await scroll(list, 0);
        const most = sections.time.rows.reduce((a, b) => (b.calls || 0) > (a.calls || 0) ? b : a);
        check("sorted by calls", words(rows()[0]) === wanted(most), words(rows()[0]));
        check("which the column tells", calls.getAttribute("aria-sort") === "descending", calls.getAttribute("aria-sort"));

        await tryDurations(sections.time, check, pause, all, one);
        if (sections.communication.sizes.length > 0) {
            const sizes = all(".table", one("communication")).find(table => table.getAttribute("aria-label") === "message sizes");
            check("message sizes", all(".list .row", sizes).length === Math.min(sections.communication.sizes.length, 22), sizes.textContent);
            check("with their times", all(".list .row", sizes)[0].textContent.includes(seconds(sections.communication.sizes[0].median)), sizes.textContent);
        }

        const phases = all(".table", one("overview")).find(table => table.getAttribute("aria-label") === "phases");
        if (phases) {
            const indent = part => all(".list .row", phases).map(row => row.children[0]).filter(cell => cell.textContent.startsWith(part)).map(cell => parseFloat(getComputedStyle(cell).paddingLeft));
            check("phases are indented", indent("phase ").length > 0 && Math.min(...indent("phase ")) > Math.max(...indent("run")), phases.textContent);
            check("no title of theirs is cut", innerWidth < 1280 || all(".head button", phases).every(button => button.scrollWidth <= button.clientWidth) &&
                phases.parentElement.scrollWidth <= phases.parentElement.clientWidth, phases.parentElement.scrollWidth);
        }

        /* Ten thousand rows: those that are seen. */
        const long = makeTable("many", [{ title: "n", value: n => n, text: String, number: true }], Array.from({ length: 10000 }, (none, i) => i));
        document.body.append(long);
        await pause();
        check("of ten thousand rows some are there", all(".list .row", long).length < 60, all(".list .row", long).length);
        await scroll(long.querySelector(".list"), 5000 * ROW);
        check("and those in the middle then", all(".list .row", long).some(row => row.textContent === "5000"), all(".list .row", long).length);
        long.remove();

        if (sections.communication.cells.length > 0) {
            const part = sections.communication.parts[0];
            check("a node for each rank", !part || all("circle", one("communication")).length >= part.points.length, all("circle", one("communication")).length);
            const canvas = document.querySelector(".matrix"), [from, to] = sections.communication.cells[0];
            canvas.scrollIntoView();
            const box = canvas.getBoundingClientRect(), scale = box.width / canvas.width, { left, top, size } = canvas.dataset;
            const at = (room, i) => (Number(room) + (i + 0.5) * size) * scale; /* behind the ranks' numbers */
            canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + at(left, to), clientY: box.top + at(top, from) }));
            check("a cell of the matrix", one("communication").querySelector(".said").textContent.startsWith("rank " + sections.communication.labels[from] + " to "),
                one("communication").querySelector(".said").textContent);
        }
        if (sections.difference) await tryDifference(sections, check, pause, all, one);
        if (sections.waiting.metrics) await tryWaiting(sections.waiting, check, pause, all, one);
        if (report.timeline_page) {
            showOnTimeline({}); /* under virtual time nobody may tell that it came into view */
            await pause();
            check("the timeline is in a frame", document.querySelector("iframe").srcdoc === report.timeline_page, "not");
        }
        await tryStructure(check, pause, all, one);
        check("no errors", faults.length === 0, faults.join("; "));
    } catch (fault) {
        check("the checks themselves", false, fault.stack);
    }
    finish();
})();

/* A line whose place is known has its time by rank, and can be seen on the timeline. */
async function tryStructure(check, pause, all, one) {
    const place = one("structure"), node = () => all(".node", place).find(row => /\(\S+:\d+\)/.test(row.textContent));
    check("loops of the structure", all(".node", place).length > 0, "none");
    [...place.querySelectorAll(".choices button")].find(button => button.textContent === "open all").click();
    await pause();
    if (!report.timeline_page || !node()) return;
    node().click();
    await pause();
    check("a line of the structure by rank", all(".bars .bar", place).length === report.sections.waiting.system.length, all(".bars .bar", place).length);
    const button = place.querySelector(".pictures button");
    check("its place can be shown on the timeline", /^Show \S+:\d+ on the timeline$/.test(button.textContent), button.textContent);
    button.click();
    all(".worst button", one("waiting")).forEach((entry, i) => check("a long wait in words", entry.textContent === report.sections.waiting.worst[i], entry.textContent));
    one("waiting").querySelector(".worst button").click();
    await pause();
    check("the timeline is there", document.querySelector("iframe").srcdoc === report.timeline_page, "not");
}

/* Each row has its histogram, with a bar for each number that is not 0; functions are the sums of their call sites. */
async function tryDurations(section, check, pause, all, one) {
    const lists = () => all(".table .list .row", one("time")), rows = section.rows, shown = lists()[0];
    const first = rows.find(row => row.function === shown.children[0].textContent && (row.site || "") === shown.children[1].textContent);
    if (first.durations) {
        check("durations of a call site", all(".spark rect", shown).filter(bar => bar.getAttribute("height") > 0).length === first.durations.counts.filter(n => n > 0).length,
            shown.innerHTML);
        check("in words", all("[title]", shown).some(cell => cell.title.includes("median " + seconds(first.durations.median))), shown.innerHTML);
    }
    const together = byFunction(rows), sum = (list, key) => list.reduce((sum, row) => sum + (row[key] || 0), 0);
    for (const key of ["seconds", "share", "calls", "sent", "received"])
        check("functions have all " + key, Math.abs(sum(together, key) - sum(rows, key)) <= 1e-9 * sum(rows, key), sum(together, key));
    const calls = row => row.durations ? row.durations.counts.reduce((sum, n) => sum + n, 0) : 0;
    check("and all durations", together.reduce((sum, row) => sum + calls(row), 0) === rows.reduce((sum, row) => sum + calls(row), 0), "others");
    const button = kind => all(".choices button", one("time")).find(button => button.dataset.key === kind);
    button("functions").click();
    await pause();
    check("a row for each function", lists().length >= Math.min(together.length, 10) && lists().length <= together.length, lists().length);
    check("the first of them", lists()[0].children[0].textContent === together[0].function, lists()[0].textContent);
    button("sites").click();
    await pause();
}

/* Each place of the other run is there, and what that has is beside what this one has. */
async function tryDifference(sections, check, pause, all, one) {
    const { sites, functions, words, run } = sections.difference, tables = all(".table", one("difference")), first = table => table.querySelector(".list .row").children[0].textContent;
    check("what is different, in words", all(".findings li", one("difference")).map(item => item.textContent).join() === words.join(), one("difference").textContent.slice(0, 200));
    check("the runs", all(".list .row", tables[0]).length === run.length, tables[0].textContent);
    check("the place that changed most", first(tables[1]).startsWith(sites[0].place), first(tables[1]));
    all(".choices button", one("difference")).find(button => button.dataset.key === "functions").click();
    await pause();
    check("functions instead", first(all(".table", one("difference"))[1]) === functions[0].place, first(all(".table", one("difference"))[1]));
    check("the overview has it beside", one("overview").querySelector(".before").textContent.endsWith(" in A"), one("overview").textContent.slice(0, 200));
    const { model } = sections.difference, table = one("difference").querySelector(".models");
    if (model && model.length > 0)
        check("models side by side", all("tr", table).length === 1 + model.length + model.filter(pair => pair.gap).length && all(".differs", table).length > 0, table && table.textContent);
    const heads = all(".head button", one("time")).map(button => button.textContent);
    check("so have times", heads.includes("Mean in A") === sections.time.rows.some(row => row.mean !== undefined), heads.join());
}

/* What is picked in one tree shows in the next ones; a node has the same with those below whether it is open or closed. */
async function tryWaiting(section, check, pause, all, one) {
    const [metrics, paths, system] = all("[role=tree]", one("waiting"));
    const nodes = tree => all(".node", tree), number = row => Number.parseFloat(row.querySelector(".number").textContent.replace(/,/g, ""));
    const picked = tree => nodes(tree).find(row => row.getAttribute("aria-selected") === "true");
    const key = (tree, name) => tree.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    check("a metric is picked", picked(metrics) && number(picked(metrics)) > 0, metrics.textContent.slice(0, 200));
    check("a call site is", picked(paths), paths.textContent.slice(0, 200));
    check("ranks are there", nodes(system).length > section.hosts.length, system.textContent.slice(0, 200));
    check("a bar for each", all(".bars .bar", one("waiting")).length === section.system.length, all(".bars .bar", one("waiting")).length);
    for (let i = 0; i < 20; i++) key(metrics, "ArrowLeft"); /* to the root, and it is closed */
    await pause();
    const time = picked(metrics);
    check("closed, time is all there is", number(time) === 100 && time.getAttribute("aria-expanded") === "false", time.textContent);
    key(metrics, "ArrowRight");
    await pause();
    check("open, it has nothing of its own, and no number", picked(metrics).querySelector(".number").textContent === "", picked(metrics).textContent);
    const children = nodes(metrics).filter(row => row.getAttribute("aria-level") === "2" && row.textContent.includes("%"));
    check("what is below adds up to it", Math.abs(children.reduce((sum, row) => sum + number(row), 0) - 100) < 0.2, children.map(row => row.textContent).join());
    const before = metrics.textContent;
    all(".choices button", one("waiting")).find(button => button.dataset.key === "absolute").click();
    await pause();
    check("absolute numbers are others", metrics.textContent !== before, before);
}
