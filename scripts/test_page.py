#!/usr/bin/env python3
"""Tests the page end to end in a headless Chromium driven through WebDriver.

    scripts/test_page.sh [SCREENSHOTS] [only=TEST...]

installs what is missing, starts the server and runs this script with its address. SCREENSHOTS is a
directory for screenshots: light and dark, desktop, small desktop and phone.
"""

import os
import re
import sys
import time
import traceback
from pathlib import Path
from urllib.parse import parse_qs

import page_boards
import page_games
import page_looks
import page_site
from page_driver import DESKTOP, DRAWN, LOOKS, Page, equal, probe, saved
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# ---- exploring


def every_turn_is_shown_with_its_value(page):
    page.open("?position=o@o.o.o....")
    equal((page.value, page.notation), ("Left wins in 13 plies", "o@o.o.o...."))
    turns = {turn["move"]: turn["value"] for turn in probe(page.server, "o@o.o.o....")["turns"]}
    page.script("document.querySelectorAll('#moves details').forEach((box) => (box.open = true))")
    listed = {entry.get_attribute("data-move"): entry.find_element(By.CSS_SELECTOR, ".sign").get_attribute("class") for entry in page.all("#moves .entry")}
    on_board = {entry.get_attribute("data-move"): entry.get_attribute("class") for entry in page.all("#board .badge")}
    equal(sorted(listed), sorted(turns))
    equal(sorted(on_board), sorted(set(turns) - {"@L"}))
    for shown in [listed, on_board]:
        assert all(turns[move] in kinds.split() for move, kinds in shown.items()), shown
    equal([title.text for title in page.all("#moves h4")], ["Winning (1)", "Losing (9)"])
    equal([page.find(f"#board [data-move='{jump}']").get_attribute("data-sign") for jump in ["@5", "@7"]], ["+13", "−14"])
    assert "wins in 13 plies" in page.text("#moves li:first-child")


def squares_are_edited_by_clicks(page):
    page.open("?position=.@.........&side=left")
    for square in [0, 2, 4, 6]:
        page.edit(square, "stone")
    equal((page.notation, page.value), ("o@o.o.o....", "Left wins in 13 plies"))
    page.edit(4, "stone")
    page.edit(3, "ball")
    equal(page.notation, "o.o@..o....")
    page.edit(0, "ball")  # the ball cannot be on a goal line
    equal(page.notation, "o.o@..o....")
    page.click("input[name=side][value='1']")
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


def back_undoes(page):
    page.open("?position=o@o.o.o....")
    page.click("#moves [data-move='@5']")
    equal((page.notation, page.value, page.text("#mover")), ("o....@o.... R", "Left wins in 12 plies", "Right to move"))
    page.click("#moves [data-move='o4']")
    equal(page.notation, "o...o@o....")
    page.back()
    page.click("#undo")
    equal((page.notation, page.value), ("o@o.o.o....", "Left wins in 13 plies"))
    assert not page.able("#undo")
    page.click("#redo")
    equal(page.notation, "o....@o.... R")
    page.open("?position=o@o.o.o....")
    page.touch(1)
    page.click("#board .goal.side1")  # Left jumps to Right's goal
    equal(page.value, "Right has won")
    page.browser.refresh()
    page.settle()
    equal(page.value, "Right has won")
    page.back()
    equal(page.value, "Left wins in 13 plies")


def the_address_says_all(page):
    page.open("?position=.@.o..o..&side=R")
    equal((page.notation, page.value), (".@.o..o.. R", "Right wins in 3 plies"))
    page.edit(0, "stone")
    equal(page.address, {"game": "strip", "mode": "explore", "position": "o@.o..o..", "side": "right"})
    address = page.browser.current_url
    page.open()
    page.browser.get(address)
    page.settle()
    equal(page.notation, "o@.o..o.. R")
    page.open("?position=3/3/3/1@1/3/3/3&side=betty&mode=explore")
    equal((page.text("#mover"), page.value), ("Betty to move", "Betty wins in 7 plies"))
    for query, words in [
        ("?position=.@.&side=up", "side 'up': write left or right"),
        ("?mode=watch", "mode 'watch': write play or explore"),
        ("?game=chess", "game 'chess': write strip, directional, pitch, obstruction"),
        ("?game=pitch&position=.@.", "is of the game strip"),
        ("?position=@..", "goal-line square 0"),
        ("?position=.@x", "'x' in column 3"),
        ("?position=.@.&level=9&mode=play", "level '9': write a number from 0 to 3"),
        ("?position=.@.%20R&side=left", "already names the player to move"),
    ]:
        page.open(query)
        assert words in page.text("#problem"), (query, page.text("#problem"))
        equal(page.value, "Invalid position")
        given = parse_qs(query[1:]).get("position", [""])[0]
        equal(page.notation, given)
        for other in ["#board", "#bar", "#why", "#editor", "#turns", "#best", "#curve"]:
            assert not page.find(other).is_displayed(), (query, other)
        top, bottom = page.script("const box = document.getElementById('problem').getBoundingClientRect(); return [box.top, box.bottom]")
        assert 0 <= top and bottom <= DESKTOP[1], "the message is in view"
    page.browser.get_log("browser")  # logs the refusals


def the_best_line_is_stepped_through(page):
    page.open("?position=o@o.o.o....")
    line = probe(page.server, "o@o.o.o....")["line"]
    equal(len(page.all("#line .step")), 13)
    for turn in line[:3]:
        page.click("#step")
        equal(page.notation, turn["position"])
    equal(page.text("#line [aria-current] .number"), "3.")
    page.click("#back")
    equal(page.notation, line[1]["position"])
    page.press(Keys.ARROW_RIGHT)  # moves to the next button of the toolbar
    equal(page.notation, line[1]["position"])
    page.script("document.activeElement.blur()")
    page.press(Keys.ARROW_RIGHT)
    equal(page.notation, line[2]["position"])
    page.click("#last")
    equal(page.value, "Left has won")
    equal(page.text("#line [aria-current] .number"), "13.")
    page.click("#first")
    equal((page.notation, page.value), ("o@o.o.o....", "Left wins in 13 plies"))
    page.click("#line li:nth-child(5) .entry")
    equal(page.notation, line[4]["position"])


def a_draw_shows_its_cycle(page):
    page.open(f"?position={DRAWN}")
    equal(page.value, "Draw: neither player can win")
    equal(page.text("#moves h4"), "Drawing (1)")
    assert "at the start" in page.text("#line-note.cycle"), page.text("#line-note")
    steps = len(page.all("#line .step"))
    page.click("#last")
    equal((steps, page.board), (6, "........o.o....@....."))  # the start of the cycle


def obstruction_shows_nimbers_and_parts(page):
    position = "obstruction:x...../....../...x../....../x....."
    page.open(f"?position={position}")
    equal((page.value, page.text("#mover")), ("First wins", "First to move · nimber 2"))
    moves = {turn["move"]: turn["nimber"] for turn in probe(page.server, position, "&nimbers=true")["turns"]}
    shown = {badge.get_attribute("data-move"): int(badge.get_attribute("data-sign")) for badge in page.all("#board .badge")}
    equal(shown, moves)
    equal(sorted({square.get_attribute("data-part") for square in page.all("#board [data-part]")}), ["A", "B"])
    assert "A: 11 squares, nimber 3; B: 2 squares, nimber 1" in page.text("#parts"), page.text("#parts")
    page.touch(11)  # r2c6 wins: it leaves nimber 0
    assert page.text("#mover").endswith("nimber 0"), page.text("#mover")
    page.open("?position=obstruction:..x....")
    assert "A: 1 square, nimber 1; B: 3 squares, nimber 2" in page.text("#parts"), page.text("#parts")
    equal([page.find(f"[data-square='{square}']").get_attribute("data-part") for square in [0, 4]], ["A", "B"])


def a_game_is_saved(page):
    """As text and as SGF; the texts are read back from the page's own functions."""
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    for square in [1, 3, 5]:
        page.touch(square)
    page.click("#endjump")
    files = saved(page)
    lines = files[0].splitlines()
    equal(lines[:2], ["start\to@o.o.o....", "1. Left: jump to 3, 5\to....@o.... R"])
    assert lines[2].startswith("2. Right: "), lines
    head, first, *rest = files[1].strip().splitlines()
    before, link, after = re.match(r"(.*)GC\[(.*?)\](.*)", head).groups()
    equal((before, after, first), ("(;GM[14]FF[4]CA[UTF-8]AP[phutbase]SZ[11:1]PB[Left]PW[Right]PL[B]", "AB[aa][ca][ea][ga]AW[ba]", ";B[badafa]"))
    assert lines[-1] == f"link\t{link}" and "position=o@o.o.o....&" in link and "turns=@5," in link, link
    assert len(rest) == 1 and rest[0].startswith(";W[") and rest[0].endswith("])"), rest
    page.open("?position=9/9/9/9/4@4/9/9/9/9")
    assert "SZ[9]PB[Alfred]" in saved(page)[1]


def the_board_field_names_the_board(page):
    page.open("?position=8/8/8/3o4/3@4/8/8/8")
    equal(page.script("const size = document.getElementById('size'); return size.selectedOptions[0].textContent"), "8 × 8")
    assert page.text("#setup-line").startswith("Pitch · 8 × 8")
    page.browser.get_log("browser")  # logs the refusal: no table


def examples_open(page):
    page.open("?mode=explore")
    page.script("document.querySelectorAll('details').forEach((box) => (box.open = true))")
    for position, value in [
        (".@.o..o..", "Left wins in 15 plies"),
        ("1o1/o2/3/o1o/1oo/@o1/o2", "Alfred wins in 35 plies"),
        ("obstruction:4x5", "Second wins"),
    ]:
        page.click(f"#examples [data-position='{position}']")
        equal(page.value, value)
    # The server looks up the position of a longest game on a click.
    for boards, value in [("32", "Right wins in 52 plies"), ("7x3", "Alfred wins in 35 plies")]:
        page.click(f"#examples [data-boards='{boards}']")
        WebDriverWait(page.browser, 20).until(lambda _: page.value == value)


def wrong_notation_stays_and_is_explained(page):
    page.open("?mode=explore")
    before = (page.value, page.board)
    for typed, words in [("o.o", "no ball"), ("@..", "goal-line"), ("hello", "is not a square")]:
        page.type(typed)
        WebDriverWait(page.browser, 10).until(lambda _: words in page.text("#notation-problem"))
        equal((page.notation, page.value, page.board), (typed, *before))
        equal(page.find("#notation").get_attribute("aria-invalid"), "true")
        top, bottom = page.script("const box = document.getElementById('notation-problem').getBoundingClientRect(); return [box.top, box.bottom]")
        assert 0 <= top and bottom <= DESKTOP[1], "the message is in view"
    page.type("o@o.o.o....")
    equal((page.value, page.find("#notation").get_attribute("aria-invalid")), ("Left wins in 13 plies", "false"))
    assert not page.find("#notation-problem").is_displayed()
    page.type("5/5/2@2/5/5/5")  # no table contains this board
    assert "holds pitch 6x5" in page.text("#problem"), page.text("#problem")
    equal(page.value, "No value")
    page.back()
    equal(page.value, "Left wins in 13 plies")
    page.browser.get_log("browser")  # logs the refusals


def keys_are_enough(page):
    page.open("?position=.@.........&side=left")
    page.find("[data-square='0']").send_keys("o")
    page.settle()
    for _ in range(2):
        page.press(Keys.ARROW_RIGHT)
    page.press("o")
    equal(page.notation, "o@o........")
    page.press("j")  # no jump ends on a square with a stone
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
    page.script("document.querySelector('details.prose').open = true")
    page.click("#shortcuts")  # off
    page.script("document.activeElement.blur()")
    page.press("m")
    equal(page.notation, ".......oo@o R")
    page.browser.refresh()
    page.settle()
    page.script("document.querySelector('details.prose').open = true")
    assert not page.find("#shortcuts").is_selected()
    page.click("#shortcuts")


def a_damaged_table_takes_away_its_own_lengths_only(page):
    whole, page.server = page.server, os.environ["DAMAGED"]
    try:
        page.open("?position=....@....")
        equal(page.value, "Left wins in 7 plies")
        assert len(page.all("#examples button")) > 30
        page.open("?position=.@...")
        equal(page.value, "No value")
        assert "damaged" in page.text("#problem"), page.text("#problem")
        page.visit("statistics")
        assert "strip-5-dtw.phut" in page.text("#tables .damaged"), page.text("#tables .damaged")
    finally:
        page.server = whole
        page.browser.get_log("browser")  # logs the refusal


TESTS = [
    *page_games.TESTS,
    a_game_is_saved,
    the_board_field_names_the_board,
    every_turn_is_shown_with_its_value,
    squares_are_edited_by_clicks,
    back_undoes,
    the_address_says_all,
    the_best_line_is_stepped_through,
    a_draw_shows_its_cycle,
    obstruction_shows_nimbers_and_parts,
    examples_open,
    wrong_notation_stays_and_is_explained,
    keys_are_enough,
    a_damaged_table_takes_away_its_own_lengths_only,
    *page_boards.TESTS,
    *page_site.TESTS,
    *page_looks.TESTS,
]


def screenshots(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    views = {"play": "", "explore": "?position=o@o.o.o....", "pitch": f"?position={DRAWN}", "obstruction": "?position=obstruction:x...../....../...x../....../x....."}
    for size, scheme in LOOKS:
        page.look(size, scheme)
        for path in page_site.PAGES:
            page.visit(path)
            page.browser.save_screenshot(str(folder / f"{path}-{size[0]}-{scheme}.png"))
        for name, query in views.items():
            page.open(query)
            page.browser.save_screenshot(str(folder / f"{name}-{size[0]}-{scheme}.png"))


def passes(test, page):
    begin = time.monotonic()
    try:
        test(page)
    except Exception:  # continue with the other tests
        traceback.print_exc()
        print(f"FAILED {test.__name__}", flush=True)
        page.look()
        return False
    print(f"ok {test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    return True


def main():
    page = Page(sys.argv[1])
    folders = [argument for argument in sys.argv[2:] if not argument.startswith("only=")]
    only = [argument[5:] for argument in sys.argv[2:] if argument.startswith("only=")]
    tests = [test for test in TESTS if not only or any(name in test.__name__ for name in only)]
    try:
        page.look()
        failed = [test.__name__ for test in tests if not passes(test, page)]
        for folder in folders:
            screenshots(page, Path(folder))
    finally:
        page.browser.quit()
    print(f"{len(tests) - len(failed)} passed, {len(failed)} failed: {', '.join(failed) or 'none'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
