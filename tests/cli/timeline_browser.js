/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests/cli/timeline.sh puts at the end of a page of `refrain timeline`: it does what a user would do, and
 * leaves what became of it in an element, a line a check. Fails by itself if anything is missing. */
(async () => {
    const checks = [];
    const check = (name, good, found) => checks.push((good ? "ok" : "not ok") + " - " + name + (good ? "" : ": " + found));
    const finish = () => {
        const report = document.createElement("pre");
        report.id = "report";
        report.textContent = checks.join("\n") + "\nend";
        document.body.append(report);
    };
    try {
        const data = JSON.parse(document.getElementById("data").textContent);
        const canvas = document.querySelector("canvas"), view = document.getElementById("view");
        const pen = canvas.getContext("2d"), dots = window.devicePixelRatio;
        const drawn = () => new Promise(done => setTimeout(done, 50));
        const rgb = colour => [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16)).join();
        const pixels = () => pen.getImageData(0, 0, canvas.width, canvas.height).data;
        const colours = () => {
            const all = pixels(), count = {};
            for (let i = 0; i < all.length; i += 4) {
                const key = all[i] + "," + all[i + 1] + "," + all[i + 2];
                count[key] = (count[key] || 0) + 1;
            }
            return count;
        };
        const UNITS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };
        const times = () => [...view.textContent.matchAll(/([\d.]+) (ns|us|ms|s)\b/g)].map(m => m[1] * UNITS[m[2]]);
        const single = () => Number(view.textContent.match(/(\d+) calls? large/)[1]);
        const near = (a, b) => Math.abs(a - b) <= 0.003 * Math.abs(b) + 2;
        const box = canvas.getBoundingClientRect();
        const at = (px, py, more) => {
            const { left, top } = canvas.getBoundingClientRect();
            return { clientX: left + px, clientY: top + py, bubbles: true, cancelable: true, button: 0, ...more };
        };
        const key = name => document.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
        await drawn();

        /* The page as it comes. */
        check("heading", document.querySelector("h1").textContent === data.title, document.querySelector("h1").textContent);
        check("title", document.title.slice(0, 20) === data.title.slice(0, 20), document.title);
        check("nothing of the title is markup", !document.querySelector("h1 *, title *, body > b, img"), "an element");
        check("nothing is loaded", performance.getEntriesByType("resource").length === 0, "a resource");
        check("the run behind MPI_Init is seen", near(times()[0], data.begin) && near(times()[1], data.to), view.textContent);
        check("a button shows the run, where it begins later", [...document.querySelectorAll("#tools button")].some(b => b.textContent === "run") === data.begin > data.from, data.begin);
        key("0");
        await drawn();
        check("0 shows all", near(times()[0], data.from) && near(times()[1], data.to), view.textContent);
        const kinds = data.kinds.filter(kind => kind.time > 0);
        check("legend", document.querySelectorAll("#legend li").length === kinds.length + 1, kinds.length);
        let count = colours();
        for (const kind of kinds.filter(kind => kind.time > data.span / 1000)) /* others may be outdone in their columns */
            check(kind.name + " in its colour", count[rgb(kind.colour)] > 0, JSON.stringify(count));
        for (const kind of data.kinds.filter(kind => kind.time === 0))
            check("no " + kind.name, !count[rgb(kind.colour)], count[rgb(kind.colour)]);

        /* The wheel zooms around the mouse. */
        const whole = data.to - data.from, middle = box.width / 2;
        const tipAt = (px, py) => {
            canvas.dispatchEvent(new PointerEvent("pointermove", at(px, py)));
            return document.getElementById("tip").textContent;
        };
        canvas.dispatchEvent(new WheelEvent("wheel", at(middle, 60, { deltaY: -300 })));
        await drawn();
        check("wheel zooms", near(times()[2], whole * Math.exp(-0.6)), view.textContent);
        check("the middle stays", Math.abs(times()[0] + times()[1] - data.from - data.to) < whole * 0.1, view.textContent);

        /* Keys and buttons. */
        key("0");
        await drawn();
        check("0: all", near(times()[2], whole), view.textContent);
        key("+");
        await drawn();
        check("+ halves", near(times()[2], whole / 2), view.textContent);
        const [left] = times();
        key("ArrowRight");
        await drawn();
        check("the right arrow moves", near(times()[0], left + whole / 10), view.textContent);
        [...document.querySelectorAll("button")].find(b => b.textContent === "all").click();
        await drawn();
        check("the button shows all", near(times()[2], whole), view.textContent);

        /* Drag, in the left half of the run. */
        canvas.dispatchEvent(new WheelEvent("wheel", at(middle, 60, { deltaY: -400 })));
        await drawn();
        const [from, , span] = times();
        canvas.dispatchEvent(new PointerEvent("pointerdown", at(middle, 60)));
        canvas.dispatchEvent(new PointerEvent("pointermove", at(middle + 100, 60)));
        canvas.dispatchEvent(new PointerEvent("pointerup", at(middle + 100, 60)));
        await drawn();
        check("drag moves", times()[0] < from && near(times()[2], span) && Math.abs((from - times()[0]) / span - 100 / box.width) < 0.02,
            from + " " + view.textContent);

        /* A call: zoom in until it fills a part of the canvas, and ask what it is. */
        const line = data.lines[0];
        if (data.path) {
            /* the page of a real run: its calls may be too short to be zoomed to so quickly */
        } else if (line.calls.length > 0) {
            let enter = 0, leave = 0, i = 0;
            for (; i < line.calls.length; i += 5) {
                enter = leave + line.calls[i + 1];
                leave = enter + line.calls[i + 2];
                if (data.functions[line.calls[i + 3]].name === "MPI_Send") break;
            }
            key("0");
            await drawn();
            for (let step = 0; step < 40; step++) { /* each brings the call nearer to the middle */
                const [a, b] = [times()[0], times()[1]];
                const aim = box.width * ((enter + leave) / 2 - a) / (b - a);
                canvas.dispatchEvent(new WheelEvent("wheel", at(Math.min(Math.max(aim, 60), box.width - 10), 60, { deltaY: -60 })));
                await drawn();
                if (times()[2] < 4 * (leave - enter)) break;
            }
            let tip = "", px = 60;
            for (; px < box.width && !tip.includes("MPI_Send("); px += 4) tip = tipAt(px, 30);
            check("the tooltip has the call", tip.includes("MPI_Send(") && /dest=\d/.test(tip), tip);
            check("its rank, and number", /^rank 0, call \d+: MPI_Send\n/.test(tip), tip);
            check("and its bytes", /\n\d+ bytes sent$/.test(tip), tip);
            const [r, g, b] = pen.getImageData(Math.round((px + 4) * dots), Math.round(25 * dots), 1, 1).data;
            check("in the colour of its kind", [r, g, b].join() === rgb(data.kinds[0].colour), [r, g, b].join());
            check("and no tooltip beside it", tipAt(px, 5) === "" && document.getElementById("tip").hidden, "one");
        } else {
            let tip = "";
            for (let px = 60; px < box.width && tip === ""; px += 4) tip = tipAt(px, 25);
            const who = line.lanes > 1 ? line.lanes + " lanes, " + line.label : "rank " + line.label;
            check("a tooltip of shares", tip.startsWith(who + "\n") && /\n[\d.]+ % /.test(tip), tip);
        }

        /* The nearer, the more of what is in view can be seen one by one; of the smallest part, not more than is there. */
        key("0");
        await drawn();
        const all = single();
        for (let i = 0; i < 40; i++) key("+");
        await drawn();
        check("at most 2000 times as near as a call is long", times()[2] <= 2001 && times()[2] >= 99, view.textContent);
        check("few calls are there", single() <= Math.max(all, data.lines.length * 3), view.textContent);

        /* Messages are drawn, unless they are not to be. */
        key("0");
        await drawn();
        if (data.messages.length > 0 && !view.textContent.includes("too many to be drawn")) {
            key("+");
            await drawn();
            const dark = () => Object.entries(colours()).reduce((sum, [rgb, n]) => sum + (rgb.split(",").every(v => v < 90) ? n : 0), 0);
            const with_ = dark();
            document.getElementById("messages").click();
            await drawn();
            check("messages can be left out", dark() < with_, dark() + " " + with_);
            document.getElementById("messages").click();
            await drawn();
        }

        /* Shares are those of what is in view; all of them together are everything. */
        key("0");
        await drawn();
        const shares = () => [...document.querySelectorAll("#legend li")].map(item => Number(item.textContent.match(/([\d.]+) %$/)[1]));
        const sum = list => list.reduce((a, b) => a + b, 0), whole_ = shares().join();
        check("shares add up", Math.abs(sum(shares()) - 100) < 0.5, whole_);
        const mean = kinds.map(kind => 100 * kind.time / data.span);
        check("shares of all are those of the data", mean.every((share, i) => Math.abs(share - shares()[i]) < 0.2), mean.join() + " " + whole_);
        for (let i = 0; i < 6; i++) key("+");
        await drawn();
        check("shares follow the view", (shares().join() !== whole_ || data.lines.some(line => line.bins.length > 0)) && Math.abs(sum(shares()) - 100) < 0.5, shares().join());

        /* A stretch of time is measured along the axis. */
        key("0");
        await drawn();
        for (const [type, px] of [["pointerdown", middle], ["pointermove", middle + 120], ["pointerup", middle + 120]])
            canvas.dispatchEvent(new PointerEvent(type, at(px, 8)));
        await drawn();
        const measured = document.getElementById("range").textContent;
        check("a stretch is measured", /^measured: [\d.]+ (ns|us|ms|s) from .*: [\d.]+ % /.test(measured), measured);
        key("z");
        await drawn();
        check("z zooms to it", times()[2] < whole / 4 && times()[2] > whole / 30, view.textContent);
        key("Escape");
        check("Escape forgets it", document.getElementById("range").textContent === "", "it is there");

        /* Fewer lines, then all. */
        key("0");
        await drawn();
        if (data.lines.length > 1) {
            const height = canvas.clientHeight;
            key("<");
            await drawn();
            check("fewer lines", / lines \S+ to \S+/.test(view.textContent) && canvas.clientHeight <= height, view.textContent);
            key("0");
            await drawn();
            check("0: all lines", !/ lines \S+ to /.test(view.textContent), view.textContent);
            for (const [type, px, py] of [["pointerdown", middle, 30], ["pointermove", middle + 50, 32], ["pointerup", middle + 50, 32]])
                canvas.dispatchEvent(new PointerEvent(type, at(px, py, { shiftKey: true })));
            await drawn();
            check("a box is zoomed to", times()[2] < whole / 4 && / lines (\S+) to \1(;|$)/.test(view.textContent), view.textContent);
        }

        /* Calls are found by function or argument, one after another. */
        const search = document.getElementById("search"), found = document.getElementById("found");
        search.value = "MPI_FINALIZE";
        search.dispatchEvent(new Event("input"));
        const n = Number(found.textContent.match(/^\d+/)[0]), is = (value, i) => i % 5 === 3 && data.functions[value].name === "MPI_Finalize";
        check("calls are found", n === sum(data.lines.map(({ calls }) => calls.filter(is).length)), found.textContent);
        search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
        await drawn();
        check("the first one is shown", n === 0 || (/^\d+ of /.test(found.textContent) && times()[2] < whole), found.textContent + " " + view.textContent);
        search.value = "no such call";
        search.dispatchEvent(new Event("input"));
        check("nothing is found", found.textContent === "0 calls", found.textContent);
        search.value = "";
        search.dispatchEvent(new Event("input"));
        check("the search is over", found.textContent === "", found.textContent);

        /* What the analysis found, in the page of a report. */
        if (data.path) {
            const mark = document.getElementById("critical-path");
            key("0"); /* all lines */
            key("1");
            await drawn();
            const hatched = colours();
            document.getElementById("waiting").click();
            await drawn();
            check("waiting is hatched", JSON.stringify(hatched) !== JSON.stringify(colours()), "no difference");
            document.getElementById("waiting").click();
            await drawn();
            const before = pixels();
            mark.click();
            await drawn();
            const changed = pixels().reduce((n, value, i) => n + (value !== before[i]), 0);
            check("the critical path is drawn when asked for", changed > box.width / 2, changed);
            mark.click();
            const times_ = data.path.filter((value, i) => i % 3 > 0);
            check("the path has no gap", times_.every((time, i) => i % 2 === 0 ? i === 0 || time === times_[i - 1] : true), "a gap");
            check("it goes from the begin to the end", times_[0] <= data.begin + 1000 && times_[times_.length - 1] >= data.to - 1000, times_[0] + " " + times_[times_.length - 1]);
            const list = document.getElementById("worst");
            check("the longest waits", list.options.length === data.worst.length + 1, list.options.length);
            list.value = "0";
            list.dispatchEvent(new Event("change"));
            await drawn();
            check("one is gone to", times()[0] <= data.worst[0][1] * 1.001 && times()[1] >= data.worst[0][2] * 0.999 &&
                times()[2] <= 3.1 * (data.worst[0][2] - data.worst[0][1]) + 1000, view.textContent);
            key("1");
            await drawn();
            window.dispatchEvent(new MessageEvent("message", { data: { find: "MPI_Finalize" } }));
            await drawn();
            check("the report can have a call shown", /^\d+ of \d+ calls?$/.test(found.textContent), found.textContent);
        }
    } catch (error) {
        check("no error", false, error.stack);
    }
    finish();
})();
