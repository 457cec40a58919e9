#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast is the page of `refrain report` in a browser?

    bench/page.py PAGE.html …      a table for RESULTS.md; needs chromium, chromium-driver and
                                   python3-selenium

Opening ends when two frames are drawn after `load`. Then the timeline is zoomed 60 times by the
wheel, one step a frame: 30 times in, then out. Frames and opening: medians of 5 runs each."""
import os
import statistics
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ZOOM = """
const canvas = arguments[0], done = arguments[1], frames = [];
canvas.scrollIntoView();
const box = canvas.getBoundingClientRect(), first = canvas.toDataURL();
let before = performance.now(), i = 0;
function step(now) {
    frames.push(performance.now() - before);
    before = performance.now();
    if (i === 30 && canvas.toDataURL() === first)
        return done([]); // nothing was zoomed
    if (i++ === 60)
        return done(frames.slice(1));
    canvas.dispatchEvent(new WheelEvent("wheel", {bubbles: true, cancelable: true, deltaY: i <= 30 ? -100 : 100,
        clientX: box.left + box.width / 3, clientY: box.top + 20}));
    requestAnimationFrame(step);
}
requestAnimationFrame(step);"""
TWO_FRAMES = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)));"


def measure(page):
    """Returns the seconds until the page is drawn, and the milliseconds of each frame."""
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,800"):
        options.add_argument(option)
    driver = webdriver.Chrome(options=options)
    try:
        driver.set_script_timeout(120)
        driver.get("about:blank")
        begin = time.monotonic()
        driver.get("file://" + os.path.abspath(page))
        driver.execute_async_script(TWO_FRAMES)
        opened = time.monotonic() - begin
        frame = driver.find_element(By.CSS_SELECTOR, "section#timeline")
        driver.execute_script("arguments[0].scrollIntoView()", frame)
        frame = WebDriverWait(driver, 60).until(lambda d: d.find_element(By.CSS_SELECTOR, "iframe.timeline[srcdoc]"))
        driver.switch_to.frame(frame)
        canvas = WebDriverWait(driver, 60).until(lambda d: d.find_element(By.TAG_NAME, "canvas"))
        frames = driver.execute_async_script(ZOOM, canvas)
        if not frames:
            sys.exit(page + ": the wheel did not zoom the timeline")
        return opened, frames
    finally:
        driver.quit()


print("| page | KB | opens, s | frame, ms | 95 %, ms |")
print("|---|---:|---:|---:|---:|")
for name in sys.argv[1:]:
    runs = [measure(name) for _ in range(5)]
    frames = sorted(f for _, each in runs for f in each)
    print("| %s | %d | %.2f | %.0f | %.0f |" % (os.path.basename(name), os.path.getsize(name) / 1000,
          statistics.median(o for o, _ in runs), statistics.median(frames), frames[len(frames) * 95 // 100]))
