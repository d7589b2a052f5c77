"""Drives the page in a headless Chromium, and converts turns to squares to click."""

import json
import time
from urllib.parse import parse_qs, quote, urlsplit
from urllib.request import urlopen

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
DESKTOP, SMALL, PHONE = (1440, 900), (1024, 768), (390, 844)
LOOKS = [(size, scheme) for size in [DESKTOP, SMALL, PHONE] for scheme in ["light", "dark"]]
DRAWN = "3/3/2o/1o1/3/@2/3"


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
        self.script = self.browser.execute_script
        # Reduced motion removes the delay before the program's reply.
        self.media = {"prefers-reduced-motion": "reduce"}

    def look(self, size=DESKTOP, scheme="light"):
        """Sets the window size and the preferred colour scheme."""
        command = self.browser.execute_cdp_cmd
        phone = size == PHONE
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 2 if phone else 1, "mobile": phone}
        command("Emulation.setDeviceMetricsOverride", metrics)
        command("Emulation.setTouchEmulationEnabled", {"enabled": phone})
        media = {**self.media, "prefers-color-scheme": scheme}
        command("Emulation.setEmulatedMedia", {"features": [{"name": name, "value": value} for name, value in media.items()]})

    def open(self, query=""):
        """Opens the page in a tab that keeps no game."""
        self.script("if (location.protocol === 'http:') sessionStorage.clear()")
        self.browser.get("about:blank")
        self.browser.get(f"{self.server}/{query}")
        self.settle()

    def visit(self, path):
        """Opens another page of the site and waits for its data."""
        self.browser.get(f"{self.server}/{path}")
        filled = {"rules": ".best .still", "statistics": "#longest svg", "puzzles": "#puzzles .still", "api": "#paths section"}.get(path, "main")
        WebDriverWait(self.browser, 60, 0.02).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, filled))

    def settle(self):
        """Waits for the server's answer and, in a game, for the program's turn."""
        time.sleep(0.03)
        WebDriverWait(self.browser, 60, 0.02).until(
            lambda browser: self.script(
                "return !document.body.classList.contains('waiting')"
                " && document.getElementById('value').textContent !== '…'"
                " && document.getElementById('examples').children.length > 0"
            )
        )

    def back(self):
        self.browser.back()
        self.settle()

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector):
        element = self.find(selector)
        if selector.startswith("#setup "):
            self.script("document.getElementById('setup-box').open = true")
        self.script("arguments[0].scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})", element)
        element.click()
        self.settle()

    def touch(self, square):
        """Clicks a square, after a long strip has been scrolled to it."""
        one = f"#board [data-square='{square}']"
        if self.find(one).get_property("hidden"):
            self.script("const strip = document.querySelector('#board .scroller'); strip.scrollLeft = (arguments[0] * strip.scrollWidth) / document.querySelectorAll('#board .square').length - 200", square)
            WebDriverWait(self.browser, 60, 0.02).until(lambda browser: not self.find(one).get_property("hidden"))
        self.click(one)

    def press(self, keys):
        self.browser.switch_to.active_element.send_keys(keys)
        self.settle()

    def type(self, text):
        self.script("document.getElementById('setup-box').open = true")
        field = self.find("#notation")
        field.clear()
        field.send_keys(text + Keys.ENTER)
        self.settle()

    def choose(self, select, value):
        self.script(
            "const select = document.getElementById(arguments[0]); select.value = arguments[1];"
            "select.dispatchEvent(new Event('change'))", select, value
        )

    def text(self, selector):
        return self.find(selector).text

    def able(self, selector):
        return self.find(selector).get_attribute("aria-disabled") != "true"

    @property
    def value(self):
        return self.text("#value")

    @property
    def notation(self):
        return self.find("#notation").get_property("value")

    @property
    def address(self):
        return {name: values[0] for name, values in parse_qs(urlsplit(self.browser.current_url).query).items()}

    def edit(self, square, tool):
        self.click(f"input[name=tool][value={tool}]")
        self.touch(square)

    @property
    def board(self):
        """Reads the cells from the page's drawing."""
        signs = {"empty": ".", "stone": "o", "ball": "@", "free": ".", "blocked": ".", "marked": "x"}
        kinds = self.script("return [...document.querySelectorAll('#board .square')].map((square) => square.className)")
        return "".join(next(signs[kind] for kind in names.split() if kind in signs) for names in kinds)


def equal(found, expected):
    assert found == expected, f"found {found!r}, expected {expected!r}"


def probe(server, position, more="&line=true"):
    with urlopen(f"{server}/api/probe?position={quote(position)}{more}", timeout=30) as response:
        return json.load(response)


def saved(page):
    """Returns the game as a text and in SGF."""
    return page.browser.execute_async_script("""
        const done = arguments[0];
        const texts = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { texts.push(blob.text()); return make(blob); };
        document.getElementById("as-text").click();
        document.getElementById("as-sgf").click();
        Promise.all(texts).then(done);
    """)


def make_turn(page, turn, ball):
    """Makes a turn by clicks."""
    squares = turn["squares"]
    if not turn["jump"]:
        return page.touch(squares[0])
    page.touch(ball)
    for number, square in enumerate(squares):
        if square in ("L", "R", "top", "bottom"):
            return page.click(f"#board .goal.side{0 if square in ('R', 'top') else 1}")
        page.touch(square)
    if page.find("#jumping").is_displayed():
        page.click("#endjump")


def strip_turn(move, board):
    """Returns the squares to click for a turn on a strip: the stone, or every landing of a jump."""
    if move[0] == "o":
        return {"jump": False, "squares": [int(move[1:])]}
    ball, end = board.index("@"), {"@L": -1, "@R": len(board)}.get(move)
    end = int(move[1:]) if end is None else end
    step = 1 if end > ball else -1
    squares, at = [], ball
    while at != end:
        at += step
        while 0 <= at < len(board) and board[at] == "o":
            at += step
        squares.append(at if 0 <= at < len(board) else "L" if at < 0 else "R")
    return {"jump": True, "squares": squares}


def pitch_turn(move, rows, columns):
    def square(name):
        if name[0] in "NS":
            return "top" if name[0] == "N" else "bottom"
        return (rows - int(name[1:])) * columns + ord(name[0]) - 97
    names = move.split("-")
    return {"jump": len(names) > 1, "squares": [square(name) for name in (names[1:] or names)]}
