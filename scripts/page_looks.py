"""Layout and accessibility: sizes, colours, contrast, focus, screen readers, no scripts."""

import os
from pathlib import Path

from page_driver import DRAWN, LOOKS, PHONE, SMALL, equal
from page_site import PAGES
from selenium.webdriver.common.keys import Keys


def a_visitor_meets_a_game(page):
    for size, scheme in LOOKS:
        page.look(size, scheme)
        page.open()
        equal(page.value, "Your turn")
        equal((page.text(".goal.side0"), page.text(".goal.side1")), ("Left's goal →", "← Right's goal"))
        assert len(page.all(".rules .still")) == 3
        low = page.script("return Math.max(...[...document.querySelectorAll('.rules figcaption, #board')].map((one) => one.getBoundingClientRect().bottom))")
        assert low < size[1], f"rules and board end at {low} of {size[1]}"
    page.look()


def the_focus_stays(page):
    page.open("?position=o@o.o.o....")
    for selector in ["#moves .entry", "#step", "#last", "#line .entry", "#undo"]:
        page.find(selector).send_keys(Keys.ENTER)
        page.settle()
        assert page.script("return document.activeElement !== document.body"), selector
    page.open("?mode=play&position=.@o.o......&side=left&you=left&level=0")
    kept = "const now = document.activeElement; return now !== document.body && now.offsetParent !== null && !now.disabled"
    page.touch(1)
    page.touch(3)
    page.find("#endjump").send_keys(Keys.ENTER)
    page.settle()
    assert page.script(kept), "when a jump has ended"
    page.find("#record button").send_keys(Keys.ENTER)
    page.settle()
    assert page.script(kept), "when a game is left"
    page.open("?mode=play&position=o@o.o.o....&side=left&you=left&level=0")
    page.touch(1)
    page.find("#board .goal.side1").send_keys(Keys.ENTER)
    page.settle()
    assert page.script(kept), "when the ball has left the board"
    page.find("#review-list button").send_keys(Keys.ENTER)
    page.settle()
    assert page.script(kept), "when the end is left"


def it_fits_a_phone(page):
    page.look(PHONE)
    for query in ["", "?mode=explore", "?position=....o..oo...oo...oo...oo..@.....&side=left", f"?position={DRAWN}", "?position=obstruction:6x6", "?game=pitch&mode=play"]:
        page.open(query)
        wide = page.script("return document.documentElement.scrollWidth")
        assert wide <= PHONE[0], f"{query}: {wide} pixels wide"
        small = page.script(
            "return [...document.querySelectorAll('#board .square')].map((one) => one.getBoundingClientRect())"
            ".filter((box) => Math.min(box.width, box.height) < 24 || Math.max(box.width, box.height) < 32).length"
        )
        equal(small, 0)
        page.script("document.querySelectorAll('details').forEach((box) => (box.open = true))")
        tiny = page.script(
            "return [...document.querySelectorAll('button, select, summary, .joined span')].filter((one) => one.offsetParent)"
            ".map((one) => one.getBoundingClientRect()).filter((box) => box.width && Math.min(box.width, box.height) < 24).length"
        )
        equal(tiny, 0)
    page.open(f"?game=pitch&mode=play&position={'/'.join(['15'] * 9 + ['7@7'] + ['15'] * 9)}")
    narrow = page.script("return Math.min(...[...document.querySelectorAll('#board .square')].map((one) => one.getBoundingClientRect().width))")
    hidden = page.script("const {scrollWidth, clientWidth} = document.querySelector('#board .scroller'); return scrollWidth - clientWidth")
    assert narrow >= 24 and hidden < 24, (narrow, hidden)
    equal(page.script("return document.documentElement.scrollWidth"), PHONE[0])
    # Boards of up to 13 squares fit with their borders; on longer ones the ball is visible.
    for size in [PHONE, SMALL]:
        page.look(size)
        for squares in [11, 13]:
            page.open(f"?position=.@{'.' * (squares - 2)}")
            board = page.script("const {scrollWidth, clientWidth} = document.querySelector('#board .scroller'); return [scrollWidth, clientWidth]")
            assert board[0] <= board[1], board
    page.look(PHONE)
    page.open(f"?position={'.' * 30}@{'.' * 9}")
    inside = page.script("const [ball, board] = ['.square.ball', '.scroller'].map((one) => document.querySelector('#board ' + one).getBoundingClientRect()); return board.left <= ball.left && ball.right <= board.right")
    assert inside, "the ball is out of sight"
    # Choosing a turn in a list scrolls to the board, and a swipe steps along the line.
    page.open("?position=1o1/o2/3/o1o/1oo/@o1/o2")
    page.script("document.querySelector('#line').scrollIntoView({block: 'start', behavior: 'instant'})")
    page.script("document.querySelector('#line li:nth-child(9) .entry').click()")
    page.settle()
    top, bottom = page.script("const box = document.querySelector('#board').getBoundingClientRect(); return [box.top, box.bottom]")
    assert top >= 0 and bottom <= PHONE[1], (top, bottom)
    before = page.text("#line [aria-current] .number")
    x, y = page.script("const box = document.getElementById('board').getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]")
    touch = lambda kind, points: page.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch("touchStart", [{"x": x, "y": y}])
    touch("touchMove", [{"x": x - 90, "y": y}])
    touch("touchEnd", [])
    page.settle()
    equal((before, page.text("#line [aria-current] .number")), ("9.", "10."))
    page.look()


def nothing_comes_from_elsewhere(page):
    page.browser.get_log("browser")
    for query in ["", "?mode=explore", f"?position={DRAWN}", "?position=obstruction:6x6"]:
        page.open(query)
        loaded = page.script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        assert loaded and all(name.startswith(page.server) for name in loaded), loaded
    complaints = [entry for entry in page.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    equal(complaints, [])


def text_has_contrast(page):
    """Contrast is 4.5 to 1 for text and 3 to 1 for borders of controls (WCAG AA)."""
    script = """
        const luminance = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const numbers = (text) => {
            const found = (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
            return text.startsWith('color(srgb') ? found.map((c, i) => i < 3 ? c * 255 : c) : found;
        };
        const ground = (element) => {
            for (let at = element; at; at = at.parentElement) {
                const rgb = numbers(getComputedStyle(at).backgroundColor);
                if (rgb.length < 4 || rgb[3] === 1) return rgb;
            }
            return [255, 255, 255];
        };
        const ratio = (one, other) => {
            const [a, b] = [one, other].map(luminance).sort((x, y) => y - x);
            return (a + 0.05) / (b + 0.05);
        };
        const bad = [];
        for (const element of document.querySelectorAll('body *')) {
            if (element.getAttribute('aria-disabled') === 'true' || !element.offsetParent) continue;
            const style = getComputedStyle(element);
            const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
            const name = `${element.className || element.tagName} '${element.textContent.slice(0, 20)}'`;
            const text = ratio(numbers(style.color), ground(element));
            if (words && text < 4.5) bad.push(`${name} ${text.toFixed(2)}`);
            if (!element.matches('button, select, input[type=text], .joined span') || style.borderTopWidth === '0px') continue;
            const line = numbers(style.borderTopColor);
            if (line[3] === 0) continue;
            const border = Math.max(ratio(line, ground(element.parentElement)), ratio(line, ground(element)));
            if (border < 3) bad.push(`border of ${name} ${border.toFixed(2)}`);
        }
        return bad;
    """
    for size, scheme in LOOKS:
        page.look(size, scheme)
        for query in ["", "?position=o@o.o.o....", "?position=obstruction:x...../....../...x../....../x....."]:
            page.open(query)
            equal(page.script(script), [])
        for path in PAGES:
            page.visit(path)
            equal(page.script(script), [])
    page.look()


def axe_finds_nothing(page):
    """Runs axe-core, if scripts/test_page.sh could install it."""
    source = os.environ.get("AXE")
    if not source:
        print("SKIPPED, axe-core is missing")
        return
    for size, scheme in LOOKS:
        page.look(size, scheme)
        for query in ["", "?position=o@o.o.o....", f"?position={DRAWN}", "?position=obstruction:6x6", f"?position={'.' * 40}@{'.' * 39}", "?mode=play&position=o@o.o.o....&you=both", "?game=pitch&mode=play&position=9/9/9/9/4@4/9/9/9/9"]:
            page.open(query)
            page.script("document.querySelectorAll('#numbers, #setup-box').forEach((box) => (box.open = true))")
            without_violations(page, source)
        for path in PAGES:
            page.visit(path)
            without_violations(page, source)
    page.browser.get_log("browser")  # logs the wrong path
    page.look()


def without_violations(page, source):
    page.script(Path(source).read_text())
    found = page.browser.execute_async_script("axe.run().then(arguments[0])")["violations"]
    equal([(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in found], [])


def a_page_without_scripts_says_so(page):
    page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    page.browser.get(page.server)
    words = page.text("noscript .problem")
    page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "needs JavaScript" in words, words


TESTS = [
    a_visitor_meets_a_game,
    the_focus_stays,
    it_fits_a_phone,
    nothing_comes_from_elsewhere,
    text_has_contrast,
    axe_finds_nothing,
    a_page_without_scripts_says_so,
]
