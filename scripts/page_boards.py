"""Tests of long strips, and of boards that the page does not play."""

import os
import re
import time

from page_driver import DESKTOP, DRAWN, PHONE, equal, make_turn, probe, strip_turn
from page_site import wait
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


def long_strips_have_an_overview(page):
    for squares, size in [(80, DESKTOP), (64, PHONE)]:
        page.look(size)
        ball = squares // 2
        page.open(f"?position={'.' * ball}@{'.' * (squares - ball - 1)}")
        equal(page.value, "Left wins")
        assert page.text("#why-words").startswith("Left wins: "), page.text("#why-words")
        steps = page.all("#line button")
        last = steps[-1].get_attribute("textContent")
        assert len(steps) > 20 and ("Left's goal" in last or str(squares - 1) in last), "a winning line is shown where depths are unknown"
        assert all(entry.get_attribute("data-sign") in "+−" for entry in page.all("#board .badge"))
        seen = page.script("return ['.goal.side0', '.goal.side1', '.square.ball', '.overview'].map((one) => document.querySelector('#board ' + one).getBoundingClientRect()).map(({left, right}) => [left, right])")
        assert all(0 <= left and right <= size[0] for left, right in seen), seen
        scroller, overview = page.find("#board .scroller"), page.find("#board .overview")
        before = scroller.get_property("scrollLeft")
        webdriver.ActionChains(page.browser).move_to_element(overview).click_and_hold().move_by_offset(80, 0).release().perform()
        assert scroller.get_property("scrollLeft") > before, "dragging moves the window"
        overview.send_keys(Keys.ARROW_LEFT)
        assert page.find("#board .overview").get_attribute("aria-valuetext").endswith(f"of {squares}")
    page.look()


def boards_of_a_thousand_squares_are_drawn(page):
    board = "." * 500 + "@" + "o" * 3 + "." * 496
    page.open(f"?position={board}")
    answer = probe(page.server, board)
    equal((page.board, page.value.split()[0].lower()), (board, answer["winner"]))
    equal(answer["reason"]["by"], "solution")
    equal(len(page.all("#board .level.whole")), 2)
    assert page.find("#board .overview").get_attribute("aria-valuetext").endswith("of 1000")
    assert page.text("#why-words").lower().startswith(f"{answer['winner']} wins: "), page.text("#why-words")
    # Only the part in sight is laid out; it follows the overview and the arrow keys.
    seen = lambda: [int(one.get_attribute("data-square")) for one in page.all("#board .square:not([hidden])")]
    assert 40 < len(seen()) < 200 and 500 in seen(), seen()
    page.script("document.querySelector('#board .scroller').scrollLeft = 0")
    wait(page, lambda: 0 in seen() and page.all("#board [data-square='3'] .badge"))
    focused = lambda: int(page.browser.switch_to.active_element.get_attribute("data-square"))
    page.find("#board [data-square='500']").send_keys(Keys.ARROW_RIGHT)
    for square in range(501, 560):
        equal(focused(), square)
        left, right, inner, outer = page.script("const inner = document.activeElement.getBoundingClientRect(), outer = document.querySelector('#board .scroller').getBoundingClientRect(); return [outer.left, outer.right, inner.left, inner.right]")
        assert left <= inner and outer <= right, (square, left, right, inner, outer)
        page.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)


def halves(page, column):
    """Returns the words, potentials and types of both halves and the lead, from a column of the page."""
    return page.script(f"return [...document.querySelectorAll('#halves tr')].map((row) => row.querySelectorAll('td')[{column}].textContent)")


def shown(answer):
    """Returns these cells for an answer."""
    reason = answer["reason"]
    words = [re.sub(r"(.)\1{7,}", lambda run: run[1] + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(len(run[0]))), half["word"]) or "∅" for half in (reason["left"], reason["right"])]
    lead = reason["lead"]
    return [f"{word} P = {half['potential']}, type {half['type']}" for word, half in zip(words, (reason["left"], reason["right"]))] + [f"{'+' if lead > 0 else '−' if lead else ''}{abs(lead)}"]


def the_halves_say_who_wins(page):
    """Both halves, the lead and the winner, of the position and of the turn under the cursor."""
    for board, words in [
        ("o@o.o.o....", "Left wins: with Left to move the left half is worth 0 + 2/8, at least the right half’s 0 − 1/8."),
        (".................o.oo.oo.oo@...o.oo......", "Left wins: with Left to move the left half is worth 1 + 6/8, at least the right half’s 2 − 2/8."),
        ("." * 300 + "@" + "." * 200, None),
    ]:
        page.open(f"?position={board}")
        answer = probe(page.server, board, "")
        equal(halves(page, 0), shown(answer))
        assert page.text("#why-words") == words or words is None, page.text("#why-words")
        best = probe(page.server, answer["turns"][0]["position"], "")
        wait(page, lambda: halves(page, 1) == shown(best))
        stones = [turn for turn in answer["turns"] if turn["move"][0] == "o"]
        for turn in [answer["turns"][0], stones[-1]]:
            after = probe(page.server, turn["position"], "")
            page.script("document.querySelectorAll('#moves details').forEach((box) => (box.open = true))")
            page.script(f"document.querySelector('#moves [data-move=\"{turn['move']}\"]').focus()")
            wait(page, lambda: halves(page, 1) == shown(after))
            wait(page, lambda: f": {after['winner']} wins: " in page.text("#turn-words").lower())
    # The pointer on a square aims at the stone that a click would place there; a goal ends the game.
    page.open("?position=o@o.o.o....")
    webdriver.ActionChains(page.browser).move_to_element(page.find("#board [data-square='8']")).perform()
    title = lambda: page.find("#turn-title").get_attribute("textContent")
    wait(page, lambda: title() == "After: stone on 8")
    equal(halves(page, 1), shown(probe(page.server, "o@o.o.o.o.. R", "")))
    webdriver.ActionChains(page.browser).move_to_element(page.find("#value")).perform()
    wait(page, lambda: title() == "After: jump to 3, 5")  # the best turn again
    page.open("?position=...@ooo")
    page.script("document.querySelector('#moves .entry').focus()")
    wait(page, lambda: page.text("#turn-words").endswith(": Left wins: the ball is in Left’s goal."))
    page.open("?mode=play&position=o@o.o.o....&side=left&you=left")
    assert not page.find("#why").is_displayed(), "the reason would give the game away"


def boards_that_no_table_holds_are_played(page):
    """With every turn, also where the answer is longest, and without words about a table."""
    for board in ["." * 499 + "@" + "." * 500, ("o." * 500)[:499] + "@" + (".o" * 500)[:500], "." * 350 + "@" + "." * 380]:
        page.open(f"?position={board}")
        turns = probe(page.server, board)["turns"]
        page.script("document.querySelectorAll('#moves details').forEach((box) => (box.open = true))")
        wait(page, lambda: len(page.all("#moves button")) == len(turns))
        assert len(turns) > 300
        wait(page, lambda: page.all("#line button") and not page.find("#line-note").is_displayed())
        page.open(f"?mode=play&position={board}&side=left&you=right")
        equal((page.value, len(page.all("#record li"))), ("Your turn", 1))


def a_lost_player_without_depths_resists(page):
    """Every turn of the program leaves the fewest winning answers, and the visitor still wins."""
    def winning(position):
        return sum(turn["value"] == "win" for turn in probe(page.server, position, "")["turns"])

    board = "." * 20 + "@" + "." * 19
    page.open(f"?mode=play&position={board}&side=left&you=left&level=0")
    for number in range(40):
        if page.value != "Your turn":
            break
        before = page.board
        answer = probe(page.server, before, "&side=left&line=true")
        best = answer["line"][0]
        make_turn(page, strip_turn(best["move"], before), before.index("@"))
        if number == 0:  # later the fewest are often one, for many turns
            turns = probe(page.server, best["position"], "")["turns"]
            equal(winning(page.board), min(winning(turn["position"]) for turn in turns))
    equal(page.value, "You have won")
    assert number >= 10, f"the program lost after {number} turns"


def a_game_on_a_thousand_squares_goes_on(page):
    """The program replies to every turn, also late in a game with many turns, and the game can be lost."""
    board = "." * 20 + "@" + "." * 979
    page.open(f"?mode=play&position={board}&side=left&you=left&level=0")
    page.script("""
        const entry = history.state, [first] = entry.record, record = [first];
        for (let turn = 1; turn <= 800; turn += 1) {
            const text = [...first.text].fill("o", 999 - turn).join("");
            record.push({ ...first, text, side: turn % 2, by: 1 - (turn % 2), turn: "stone", answer: { value: "loss", depth: null } });
        }
        record.push({ ...first });
        record.splice(800, 1);
        history.replaceState({ ...entry, record }, "", location.href);
    """)
    page.browser.refresh()
    page.settle()
    for turns in range(802, 1000, 2):
        if page.value != "Your turn":
            break
        free = page.board.rfind(".", 0, 300)
        begin = time.monotonic()
        page.touch(free)
        assert time.monotonic() - begin < 15, "the program thinks for too long"
        assert page.value == "Right has won" or len(page.all("#record li")) == turns, len(page.all("#record li"))
    equal(page.value, "Right has won")


def a_turn_that_loses_value_is_named(page):
    """Words about turns, for each value of the turn and of a better one."""
    page.open("?position=.@o.")
    judged = lambda value, best: page.browser.execute_async_script(
        "const [value, best, done] = arguments;"
        "Promise.all(['play', 'games'].map((name) => import(`/page/${name}.js`))).then(([{ judge }, { parse, turnOn }]) => {"
        " const at = parse('.@o.'), turn = turnOn(at, { move: 'o0', squares: [0], taken: [], value, depth: null });"
        " done(judge(at, turn, { ...turn, value: best }, 'Right')); })", value, best
    )
    equal([judged(value, best)["note"] for value, best in [("loss", "win"), ("draw", "win"), ("loss", "draw")]], ["gave away the win"] * 2 + ["gave away the draw"])


def boards_that_the_page_cannot_play_are_named(page):
    for position, words in [
        ("." * 500 + "@" + "." * 500, "strips of more than 1000 squares"),
        ("oddish:..o^o.", "Oddish Phutball"),
        ("obstruction:torus:3x3", "such boards of Obstruction"),
    ]:
        page.open(f"?position={position}")
        equal(page.value, "Not played here")
        assert f"The page does not play {words}" in page.text("#problem"), page.text("#problem")
        assert position[:30] in page.text("#problem") and "It plays" in page.text("#problem")
        assert len(page.text("#problem")) < 250, page.text("#problem")
        page.open("?mode=explore")
        page.type(position)
        WebDriverWait(page.browser, 10).until(lambda _: words in page.text("#notation-problem"))
    for query in [f"?position=@{'.' * 900}", f"?position=.{'.' * 900}@.%20R&side=left", f"?game=pitch&position={'.' * 900}@."]:
        page.open(query)
        assert page.value == "Invalid position" and len(page.text("#problem")) < 250, page.text("#problem")
    page.open(f"?position={'.' * 900}@.")
    assert len(page.browser.title) < 120, page.browser.title
    page.open("?position=chess")
    equal(page.value, "Invalid position")
    page.browser.get_log("browser")  # logs the refusal


def a_damaged_board_is_not_played(page):
    """The program says so, and plays nothing."""
    whole, page.server = page.server, os.environ["DAMAGED"]
    try:
        page.open("?mode=play&position=.@...&side=left&you=left")
        equal(page.value, "Not played here")
        assert "cannot play this board (Strip of 5 squares)" in page.text("#problem"), page.text("#problem")
        top, bottom = page.script("const box = document.getElementById('problem').getBoundingClientRect(); return [box.top, box.bottom]")
        assert 0 <= top and bottom <= DESKTOP[1], "the message is in view"
        page.touch(0)  # would have no reply
        equal((page.text("#said"), len(page.all("#record li"))), ("The program cannot play this board, so nothing was played.", 0))
    finally:
        page.server = whole
        page.browser.get_log("browser")  # logs the refusal


def box(page, selector):
    return page.script("const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]", selector)


def a_strip_is_as_wide_in_explore_as_in_play(page):
    """24 squares, and up to 39 on a desktop, are seen without scrolling; the cards below leave no hole."""
    for squares in [11, 24, 39]:
        board = f"{'.' * (squares // 2)}@{'.' * (squares - squares // 2 - 1)}"
        widths = []
        for mode in ["play", "explore"]:
            page.open(f"?mode={mode}&position={board}&side=left&you=left")
            inner, outer = page.script("const {scrollWidth, clientWidth} = document.querySelector('#board .scroller'); return [scrollWidth, clientWidth]")
            assert inner <= outer, (squares, mode, inner, outer)
            widths.append(outer)
        assert abs(widths[0] - widths[1]) <= 20, widths  # a scroll bar
    for query in ["?position=o@o.o.o....", f"?position={DRAWN}", "?position=obstruction:x...../....../...x../....../x....."]:
        page.open(query)
        cards = [[box(page, f"#{one.get_attribute('id')}") for one in page.all(f"#{side} > section") if one.is_displayed()] for side in ["left", "right"]]
        if "obstruction" in query or DRAWN in query:
            cards[0].insert(0, box(page, "#table"))
        for column in cards:
            gaps = [below[1] - above[3] for above, below in zip(column, column[1:])]
            assert all(0 <= gap < 30 for gap in gaps), (query, gaps)
        tops, ends = ([column[place][edge] for column in cards] for place, edge in [(0, 1), (-1, 3)])
        assert abs(tops[0] - tops[1]) < 2 and abs(ends[0] - ends[1]) < 350, (query, tops, ends)
        assert box(page, "#shelf")[0] == box(page, "#left")[0] and box(page, "#shelf")[2] == box(page, "#right")[2]


def a_click_on_the_overview_shows_that_part(page):
    page.open(f"?mode=play&position={'.' * 20}@{'.' * 179}&side=left&you=left")
    overview, scroller = page.find("#board .overview"), page.find("#board .scroller")
    assert page.all("#board .overview .ball") and page.all("#board .overview .window")
    left, _, right, _ = box(page, "#board .overview")
    webdriver.ActionChains(page.browser).move_to_element_with_offset(overview, round((right - left) * 0.4), 0).click().perform()
    seen = scroller.get_property("scrollLeft") + scroller.get_property("clientWidth")
    assert abs(seen - scroller.get_property("scrollWidth")) < 20, seen


def the_reason_is_drawn(page):
    """The reduced halves, the potentials and the lead, now and after the best turn or the one under the cursor."""
    board = "..........o@o.o........."
    picture = lambda place: page.find(f"#why-{place} svg")
    page.open(f"?position={board}")
    answer = probe(page.server, board)
    for place, one in [("now", answer["reason"]), ("after", probe(page.server, answer["turns"][0]["position"], "")["reason"])]:
        wait(page, lambda: page.all(f"#why-{place} svg"))
        potentials = [text.text for text in picture(place).find_elements(By.CSS_SELECTOR, ".potential")]
        equal(potentials, [f"{one['left']['potential']}", f"{one['right']['potential']}"])
        stones = (one["left"]["word"] + one["right"]["word"]).count("o")
        equal(len(picture(place).find_elements(By.CSS_SELECTOR, ".stone")), stones)
        equal(picture(place).find_elements(By.CSS_SELECTOR, ".count")[-1].text, f"Left +{one['lead']}")
    assert page.text("#turn-words").startswith("A winning turn is stone on 16. Left wins: "), page.text("#turn-words")
    assert box(page, "#why-after")[3] < DESKTOP[1], "both pictures are in view"
    page.open("?position=o@o.oo....")  # Left loses
    wait(page, lambda: page.text("#turn-words").startswith("No turn changes that. After "))
    page.find("#moves .entry:first-child").send_keys("")
    wait(page, lambda: page.text("#turn-words").startswith("After "))


def plies_are_explained_where_they_first_stand(page):
    page.open("?position=o@o.o.o....")
    equal(page.text("#ply"), "A ply is one turn of one player.")
    heading, note = (box(page, one) for one in ["#value", "#ply"])
    assert note[1] < heading[3] + 30, "beside the heading"
    page.open(f"?position={'.' * 40}@{'.' * 40}")  # no depths
    assert not page.find("#ply").is_displayed()


TESTS = [
    a_damaged_board_is_not_played,
    a_strip_is_as_wide_in_explore_as_in_play,
    a_click_on_the_overview_shows_that_part,
    the_reason_is_drawn,
    plies_are_explained_where_they_first_stand,
    long_strips_have_an_overview,
    boards_of_a_thousand_squares_are_drawn,
    the_halves_say_who_wins,
    boards_that_no_table_holds_are_played,
    a_lost_player_without_depths_resists,
    a_game_on_a_thousand_squares_goes_on,
    a_turn_that_loses_value_is_named,
    boards_that_the_page_cannot_play_are_named,
]
