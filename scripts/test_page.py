#!/usr/bin/env python3
"""The page, end to end: a headless Chromium, driven through WebDriver, uses it as a person would.

    scripts/test_page.sh [SCREENSHOTS]

starts the server, installs what is missing, and runs this with the server's address. With a folder it leaves screenshots there: light and
dark, desktop and phone.
"""

import json
import sys
import time
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
DESKTOP, PHONE = (1280, 1000), (390, 844)


class Page:
    """The page in a browser."""

    def __init__(self, server):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.server = server
        self.browser = webdriver.Chrome(options=options, service=Service(DRIVER))

    def look(self, size=DESKTOP, scheme="light"):
        """Sets the size of the window and the colours that the person prefers."""
        command = self.browser.execute_cdp_cmd
        phone = size == PHONE
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        command("Emulation.setDeviceMetricsOverride", metrics)
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        command("Emulation.setEmulatedMedia", media)

    def open(self, query=""):
        self.browser.get(f"{self.server}/{query}")
        self.settle()

    def settle(self):
        """Waits until the server's answer is shown."""
        WebDriverWait(self.browser, 20).until(
            lambda browser: browser.execute_script(
                "return !document.body.classList.contains('waiting')"
                " && document.getElementById('value').textContent !== '…'"
                " && document.getElementById('examples').children.length > 0"
            )
        )

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector):
        element = self.browser.find_element(By.CSS_SELECTOR, selector)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", element)
        element.click()
        self.settle()

    def press(self, keys):
        self.browser.switch_to.active_element.send_keys(keys)
        self.settle()

    def text(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector).text

    @property
    def value(self):
        return self.text("#value")

    @property
    def notation(self):
        return self.browser.find_element(By.ID, "notation").get_property("value")

    def edit(self, square, tool):
        self.click(f"input[name=tool][value={tool}]")
        self.click(f"[data-square='{square}']")


def equal(found, expected):
    assert found == expected, f"found {found!r}, expected {expected!r}"


def probe(server, position):
    with urlopen(f"{server}/api/probe?line=true&position={quote(position)}", timeout=30) as response:
        return json.load(response)


def the_first_position_is_shown_with_every_turn(page):
    page.open()
    equal(page.value, "Left wins in 13")
    equal(page.notation, "o@o.o.o....")
    answer = probe(page.server, "o@o.o.o....")
    turns = {turn["move"]: turn["value"] for turn in answer["moves"]}
    listed = {entry.get_attribute("data-move"): entry.get_attribute("class") for entry in page.all("#moves .entry")}
    on_strip = {entry.get_attribute("data-move"): entry.get_attribute("class") for entry in page.all("#board .value")}
    for shown in [listed, on_strip]:
        equal(sorted(shown), sorted(turns))
        assert all(turns[move] in kinds.split() for move, kinds in shown.items()), shown
    equal(page.text("#board [data-move='@5']"), "+13")
    equal(page.text("#board [data-move='@7']"), "−14")
    assert "win in 13" in page.text("#moves li:first-child")


def squares_are_edited_by_clicks(page):
    page.open("?position=.@.........&side=left")
    for square in [0, 2, 4, 6]:
        page.edit(square, "stone")
    equal(page.notation, "o@o.o.o....")
    equal(page.value, "Left wins in 13")
    page.edit(4, "stone")
    page.edit(3, "ball")
    equal(page.notation, "o.o@..o....")
    page.edit(0, "ball")  # no place for it: a goal line
    equal(page.notation, "o.o@..o....")
    page.click("input[name=side][value=right]")
    equal(page.notation, "o.o@..o.... R")
    page.click("#longer")
    equal(page.text("#length"), "12")
    page.click("#shorter")
    page.click("#shorter")
    equal(page.notation, "o.o@..o... R")
    page.click("#mirror")
    equal(page.notation, "...o..@o.o")
    page.click("#clear")
    equal(page.notation, "......@...")


def turns_are_played_taken_back_and_made_again(page):
    page.open()
    page.click("#board [data-move='@5']")
    equal((page.notation, page.value, page.text("#mover")), ("o....@o.... R", "Left wins in 12", "Right to move"))
    page.click("#moves [data-move='o4']")
    equal(page.notation, "o...o@o....")
    page.click("#undo")
    page.click("#undo")
    equal((page.notation, page.value), ("o@o.o.o....", "Left wins in 13"))
    assert not page.browser.find_element(By.ID, "undo").is_enabled()
    page.click("#redo")
    equal(page.notation, "o....@o.... R")
    page.open()
    page.click("#board [data-move='@L']")  # home for Right, although Left jumped
    equal(page.value, "Right has won")
    page.click("#undo")
    equal(page.value, "Left wins in 13")


def the_position_is_in_the_address(page):
    page.open("?position=.@.o..o..&side=right")
    equal((page.notation, page.value), (".@.o..o.. R", "Right wins in 3"))
    page.edit(0, "stone")
    address = page.browser.current_url
    assert "position=o@.o..o..&side=right" in address, address
    page.open()
    page.browser.get(address)
    page.settle()
    equal(page.notation, "o@.o..o.. R")


def the_best_line_is_stepped_through(page):
    page.open()
    line = probe(page.server, "o@o.o.o....")["line"]
    equal(len(page.all("#line .step")), 13)
    for turn in line[:3]:
        page.click("#step")
        equal(page.notation, turn["position"])
    equal(len(page.all("#line .step")), 13)
    equal(page.text("#line [aria-current] .number"), "3.")
    page.click("#back")
    equal(page.notation, line[1]["position"])
    page.click("#last")
    equal(page.value, "Left has won")
    equal(page.text("#line [aria-current] .number"), "13.")
    page.click("#first")
    equal((page.notation, page.value), ("o@o.o.o....", "Left wins in 13"))
    page.click("#line li:nth-child(5) .entry")
    equal(page.notation, line[4]["position"])


def examples_open(page):
    page.open()
    page.browser.execute_script("document.querySelectorAll('details').forEach((box) => (box.open = true))")
    page.click("#examples [data-position='.@.o..o..']")
    equal(page.value, "Left wins in 15")
    page.click("#examples [data-position='....o..oo...oo...oo...oo..@.....']")
    equal(page.value, "Left wins in 51")
    far = "." * 32 + "@" + "." * 31
    page.click(f"#examples [data-position='{far}']")
    equal(page.value, "Left wins")  # who wins is known there, in how many plies is not
    assert "says who wins" in page.text("#hint")
    steps = page.all("#line button")
    assert len(steps) > 20, "a winning line is shown where depths are unknown"
    assert "@R" in steps[-1].text, steps[-1].text
    assert all(entry.text in "+−" for entry in page.all("#board .value"))


def mistakes_are_explained(page):
    page.open()
    for typed, words in [("o.o", "no ball"), ("@..", "goal-line"), ("hello", "is not a square"), ("." * 80 + "@.", "phutbase generate")]:
        field = page.browser.find_element(By.ID, "notation")
        field.clear()
        field.send_keys(typed + Keys.ENTER)
        page.settle()
        assert words in page.text("#problem"), page.text("#problem")
        equal(page.value, "No value")
    for _ in range(4):
        page.click("#undo")
    equal(page.value, "Left wins in 13")
    assert not page.browser.find_element(By.ID, "problem").is_displayed()
    page.browser.get_log("browser")  # the refusals are in it, rightly


def keys_are_enough(page):
    page.open("?position=.@.........&side=left")
    page.browser.find_element(By.CSS_SELECTOR, "[data-square='0']").send_keys("o")
    page.settle()
    for _ in range(2):
        page.press(Keys.ARROW_RIGHT)
    page.press("o")
    equal(page.notation, "o@o........")
    page.press("j")  # there is no jump to a square with a stone
    page.press(Keys.ARROW_RIGHT)
    page.press("j")
    equal(page.notation, "o..@....... R")
    page.press("u")
    page.press("p")
    equal(page.notation, "o@oo....... R")
    page.press("s")
    page.press("+")
    equal(page.notation, "o@oo........")
    page.press("-")
    page.press("m")
    equal(page.notation, ".......oo@o R")
    page.open()
    page.browser.find_element(By.TAG_NAME, "body").send_keys("..")
    page.settle()
    equal(page.notation, "o...o@o....")
    page.browser.find_element(By.TAG_NAME, "body").send_keys(",")
    page.settle()
    equal(page.notation, "o....@o.... R")


def it_fits_a_phone(page):
    page.look(PHONE)
    for query in ["", "?position=....o..oo...oo...oo...oo..@.....&side=left", f"?position={'.' * 30}@{'.' * 33}"]:
        page.open(query)
        wide = page.browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= PHONE[0], f"{wide} pixels wide"
        ball = page.browser.execute_script(
            "const box = document.querySelector('.square.ball').getBoundingClientRect(); return [box.left, box.right]"
        )
        assert 0 <= ball[0] and ball[1] <= PHONE[0], f"the ball is at {ball}"
    small = page.browser.execute_script(
        "return [...document.querySelectorAll('button, .choice span')].filter((one) => one.offsetParent)"
        ".map((one) => one.getBoundingClientRect()).filter((box) => box.width && Math.min(box.width, box.height) < 22).length"
    )
    equal(small, 0)
    page.look()


def nothing_comes_from_elsewhere(page):
    page.open()
    loaded = page.browser.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert loaded and all(name.startswith(page.server) for name in loaded), loaded
    complaints = [entry for entry in page.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    equal(complaints, [])


def text_has_contrast(page):
    """Every text stands out from its ground by 4.5 to 1 (WCAG AA), in light and dark."""
    script = """
        const luminance = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const numbers = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
        const ground = (element) => {
            for (let at = element; at; at = at.parentElement) {
                const rgb = numbers(getComputedStyle(at).backgroundColor);
                if (rgb.length < 4 || rgb[3] === 1) return rgb;
            }
            return [255, 255, 255];
        };
        const bad = [];
        for (const element of document.querySelectorAll('body *')) {
            const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            if (!words || element.disabled || !element.offsetParent) continue;
            const [a, b] = [numbers(getComputedStyle(element).color), ground(element)].map(luminance).sort((x, y) => y - x);
            const ratio = (a + 0.05) / (b + 0.05);
            if (ratio < 4.5) bad.push(`${element.className || element.tagName} '${element.textContent.slice(0, 20)}' ${ratio.toFixed(2)}`);
        }
        return bad;
    """
    for scheme in ["light", "dark"]:
        page.look(scheme=scheme)
        page.open()
        equal(page.browser.execute_script(script), [])
    page.look()


TESTS = [
    the_first_position_is_shown_with_every_turn,
    squares_are_edited_by_clicks,
    turns_are_played_taken_back_and_made_again,
    the_position_is_in_the_address,
    the_best_line_is_stepped_through,
    examples_open,
    mistakes_are_explained,
    keys_are_enough,
    it_fits_a_phone,
    nothing_comes_from_elsewhere,
    text_has_contrast,
]


def screenshots(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ["light", "dark"]:
        for name, size in [("desktop", DESKTOP), ("phone", PHONE)]:
            page.look((size[0], 1900), scheme) if name == "desktop" else page.look(PHONE, scheme)
            page.open()
            page.browser.save_screenshot(str(folder / f"{name}-{scheme}.png"))


def main():
    page = Page(sys.argv[1])
    try:
        page.look()
        for test in TESTS:
            begin = time.monotonic()
            test(page)
            print(f"ok {test.__name__} ({time.monotonic() - begin:.1f} s)")
        if len(sys.argv) > 2:
            screenshots(page, Path(sys.argv[2]))
    finally:
        page.browser.quit()
    print(f"{len(TESTS)} passed")


if __name__ == "__main__":
    main()
