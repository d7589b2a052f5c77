"""The other pages of the site, explanations beside the board, and a server that does not answer."""

import json
import random
import re
import time
from urllib.request import urlopen

from page_driver import DESKTOP, DRAWN, PHONE, SMALL, equal, make_turn, probe, strip_turn
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PAGES = ["puzzles", "rules", "statistics", "api", "docs/atlas", "nowhere"]


def wait(page, holds):
    WebDriverWait(page.browser, 20, 0.05).until(lambda _: holds())


def the_rules_show_every_turn(page):
    page.open()
    page.find("nav a[href='rules']").click()
    page.visit("rules")
    turns = page.all(".turns li")
    assert len(turns) > 14, len(turns)
    for turn in turns:
        assert turn.find_elements(By.CSS_SELECTOR, ".still rect") and turn.text, turn.get_attribute("outerHTML")[:200]
    assert page.all(".still .way") and page.all(".still .ring") and page.all(".still .gone")
    assert page.all(".best li")[-1].text.endswith("Left has won"), page.all(".best li")[-1].text


def the_interface_is_described(page):
    page.visit("api")
    assert "only with phutbase serve --cors" in page.text("main p"), page.text("main p")
    shown = " ".join(title.text for title in page.all("#paths h2"))
    for path in ["GET /api/probe", "POST /api/batch", "GET /api/stats", "GET /api/nimbers", "GET /api/puzzle", "GET /api/example", "GET /tables/{name}"]:
        assert path in shown, shown
    page.script("arguments[0].click()", page.find("#paths .small"))
    wait(page, lambda: '"depth": 13' in page.text("#paths pre"))


def a_wrong_path_leads_back(page):
    page.visit("no/such/page")
    equal(page.text("h2"), "Page not found")
    page.find("main a").click()
    page.settle()
    equal(page.value, "Your turn")
    page.browser.get_log("browser")  # logs the refusal


def statistics_have_charts_where_they_are_asked_for(page):
    page.visit("statistics")
    assert len(page.all("#longest a")) > 20
    ticks = page.script("return [...document.querySelectorAll('#longest .rule + text')].map((tick) => Number(tick.textContent))")
    equal(ticks, [0, 20, 40, 60])  # the longest game has 60 plies
    equal(legend(page, "#longest"), [("won by the player to move", "win"), ("lost by the player to move", "loss")])
    page.choose("kind", "strip")
    page.find("#wanted").send_keys("14")
    equal([row.text for row in page.all("#tables th")], ["14", *(f"{squares}" for squares in range(140, 145))])
    count = page.all("#tables tr:last-child td span")[0]
    equal((count.text, len(count.get_attribute("title").replace(",", ""))), ("1.07·10⁴⁵", 46))
    equal([page.all("#tables tr:last-child td")[place].text for place in [2, -1]], ["0", "by the rule"])
    page.script("arguments[0].click()", page.find("#tables tr:last-child button"))
    wait(page, lambda: page.all(".charted .exact"))
    assert count.get_attribute("title") in page.text(".charted .exact"), page.text(".charted .exact")
    page.visit("statistics")
    files = {link.get_attribute("href") for link in page.all("#tables a")}
    assert any(file.endswith("pitch-7x3-dtw.phut") for file in files), files
    with urlopen(next(file for file in files if file.endswith("strip-36-dtw.phut"))) as file:
        assert file.read(8) == b"PHUTBASE"
    row = next(row for row in page.all("#tables tr") if row.text.startswith("7 × 3"))
    page.script("arguments[0].click()", row.find_elements(By.TAG_NAME, "button")[1])
    wait(page, lambda: page.all(".charted rect"))
    below = page.script("return arguments[0].nextElementSibling.className", row)
    equal((below, len(page.all(".charted rect"))), ("charted", 35))
    equal(len(legend(page, ".charted")), 2)
    assert page.text(".charted .chart-title").startswith("7 × 3") and len(page.all(".charted .rule")) > 2
    page.script("document.querySelector('.charted a:nth-of-type(12)').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    wait(page, lambda: page.all("#board"))
    page.settle()
    equal((page.address["mode"], page.value), ("explore", "Betty wins in 12 plies"))
    page.visit("statistics")
    page.script("document.querySelector('#longest a:last-of-type').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    wait(page, lambda: page.all("#board"))
    page.settle()
    equal((page.text("#length"), page.value), ("36", "Right wins in 60 plies"))


def legend(page, part):
    """Returns the words of a chart's legend, with the bars of the same colour."""
    colours = page.script("return [...document.querySelectorAll(arguments[0])].map((bar) => [getComputedStyle(bar).fill, bar.getAttribute('class')])", f"{part} rect")
    bars = dict(colours)
    keys = page.script("return [...document.querySelectorAll(arguments[0])].map((key) => [key.textContent, getComputedStyle(key, '::before').backgroundColor])", f"{part} .legend span")
    return [(words, bars[colour]) for words, colour in keys]


def statistics_list_every_board(page):
    """Every strip, pitch and board of Obstruction, and directional strips."""
    page.visit("statistics")
    wait(page, lambda: page.text("#tables tr:last-child th").endswith("directional"))
    with urlopen(f"{page.server}/api/stats") as file:
        stats = json.load(file)
    strips, pitches = [[table["boards"].replace("x", " × ") for table in stats["tables"] if table["game"] == game] for game in ["strip", "pitch"]]
    obstruction = [f"Obstruction, {stats['obstruction_boards']} boards"]
    directional = [f"{squares}, directional" for squares in range(3, 145)]
    equal((strips[0], strips[-1], len(strips), len(pitches)), ("3", "144", 142, 15))
    for kind, listed in [("all", strips + pitches + obstruction + directional), ("pitch", pitches), ("strip", strips), ("directional", directional)]:
        page.choose("kind", kind)
        equal(page.script("return [...document.querySelectorAll('#tables th')].map((box) => box.textContent)"), listed)
    # 11 squares: as a plain search of all boards has found.
    equal([cell.text for cell in page.all("#tables tr:nth-child(9) td")[:3]], ["6,477", "2,739", "0"])
    page.choose("kind", "obstruction")
    page.script("arguments[0].click()", page.find("#tables button"))
    wait(page, lambda: page.all(".nimbers a"))
    nimbers = page.script("return [...document.querySelectorAll('.nimbers > *')].map((item) => item.textContent)")
    equal(len(nimbers), stats["obstruction_boards"])
    assert "1 × 4: 0" in nimbers and "1 × 5: 3" in nimbers, nimbers[:9]  # Dawson's chess
    page.script("arguments[0].click()", page.find(".nimbers a[href$='1x4']"))
    wait(page, lambda: page.all("#board"))
    page.settle()
    equal((page.value, page.address["game"]), ("Second wins", "obstruction"))


def details_stay_open_while_the_list_grows(page):
    """The directional strips, which the server counts later, are added to the list."""
    held = "const held = new Promise((go) => (window.letGo = go)); const real = fetch; window.fetch = async (path) => { if (path.includes('directional')) await held; return real(path); };"
    added = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": held})
    try:
        page.visit("statistics")
        page.script("document.querySelectorAll('#tables button')[1].click()")
        wait(page, lambda: page.all(".charted rect"))
        page.script("letGo()")
        wait(page, lambda: len(page.all("#tables tr")) > 200)
        assert page.all(".charted rect")
    finally:
        page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})


def statistics_fit_the_screen(page):
    """One table of less than three screens; on a phone the chart in the details scrolls by itself."""
    for size in [DESKTOP, SMALL, PHONE]:
        page.look(size)
        page.visit("statistics")
        page.script("arguments[0].click()", page.all("#tables tr")[3].find_elements(By.TAG_NAME, "button")[1])
        wait(page, lambda: page.all(".charted rect"))
        height, wide, space = page.script("const box = document.getElementById('tables').closest('.scroller'); return [document.documentElement.scrollHeight, box.scrollWidth, box.clientWidth]")
        assert wide <= space and height < 3 * size[1], (size, height, wide, space)
    page.look()


def the_potentials_say_who_is_ahead(page):
    """The bars are the potentials of the directional game, which decide it."""
    draws = random.Random(7)
    for squares in [3, 5, 9, 13, 18, 21]:
        ball = draws.randrange(1, squares - 1)
        board = "".join("@" if square == ball else draws.choice(".o") for square in range(squares))
        for side in ["left", "right"]:
            page.open(f"?position={board}&side={side}")
            equal(len(page.all("#board .level")), squares - 1)
            equal(len(page.all("#board .level.whole")), 2)
            page.script("document.getElementById('numbers').open = true")
            ahead = re.search(r"(Left|Right) is ahead", page.text("#why-directional")).group(1).lower()
            equal((board, side, ahead), (board, side, probe(page.server, board, f"&side={side}&rules=directional")["winner"]))
    # 22 squares: the shortest board that a backward turn wins against the potential.
    page.open("?position=....oooo.@oo.o........&side=right")
    page.script("document.getElementById('numbers').open = true")
    equal((page.value[:9], "Left is ahead" in page.text("#why-directional")), ("Right win", True))
    page.open(f"?position={DRAWN}")
    assert not page.find("#why").is_displayed()


def a_game_has_a_value_bar_and_a_curve(page):
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    assert not page.find("#bar").is_displayed() and not page.find("#curve").is_displayed()
    page.click("#hint")
    equal((page.text("#bar"), "side0" in page.find("#bar").get_attribute("class")), ("Left wins in 13 plies", True))
    for square in [1, 3, 5, 7]:  # jumps all three stones, the mistake named in the paper
        page.touch(square)
    assert not page.find("#bar").is_displayed(), "until the next hint or the end"
    page.click("#hint")
    assert "side1" in page.find("#bar").get_attribute("class"), "the bar is on the other side"
    equal(len(page.all("#curve .point")), 3)
    equal([point.get_attribute("aria-label") for point in page.all("#curve .bad")], ["After turn 1: Right wins in 13 plies: a mistake"])
    assert page.all("#board .last") and page.all("#board .ring"), "the last turn is marked"
    page.script("document.querySelector('#curve .point').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
    page.settle()
    equal((page.address["mode"], page.notation, len(page.all("#record .step"))), ("explore", "o@o.o.o....", 2))
    page.click("#step")
    equal(page.notation, "o......@... R")  # the turn played, not the best one


def a_game_without_depths_has_bands(page):
    """The curve shows the winner after each turn, and no depth."""
    page.open(f"?game=strip&mode=play&position={'.' * 20}@{'.' * 19}&side=left&you=left")
    page.touch(21)  # wins
    page.touch(0)  # gives the win away
    equal(page.text("#curve text"), "Left")
    bands = [band.get_attribute("class") for band in page.all("#curve rect.area")]
    assert bands[0].endswith("side0") and any(band.endswith("side1") for band in bands), bands
    equal((len(page.all("#curve .line")), len(page.all("#curve .rule"))), (0, 0))
    heights = {point.get_attribute("cy") for point in page.all("#curve .point circle")}
    equal(len(heights), 2)
    assert page.all("#curve .point.bad"), "the mistake is marked"


def a_lost_game_is_played_again(page):
    page.look(PHONE)
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    page.touch(1)
    page.click("#board .goal.side1")
    equal(page.value, "Right has won")
    box = page.script("const box = document.getElementById('again').getBoundingClientRect(); return [box.top, box.bottom]")
    assert 0 <= box[0] and box[1] <= PHONE[1], box
    page.click("#again")
    equal((page.value, page.notation), ("Your turn", "o@o.o.o...."))
    for level, button, notation, line in [
        (3, "other-side", "o@o.o.o....", "11 squares · you are Right · a beginner"),
        (3, "one-longer", "......@.....", "12 squares · you are Left · a beginner"),
        (2, "easier", "o@o.o.o....", "11 squares · you are Left · a beginner"),
        (0, None, None, None),
    ]:
        page.open(f"?game=strip&mode=play&position=o@o.o.o....&side=left&you=left&level={level}")
        page.touch(1)
        page.click("#board .goal.side1")
        # After a loss an easier opponent is offered, after a win a stronger one.
        equal((page.find("#stronger").is_displayed(), page.find("#easier").is_displayed()), (False, level < 3))
        if button:
            page.click(f"#{button}")
            equal((page.text("#setup-line"), page.script("return history.state.record[0].text")), (f"Strip · {line}", notation))
    page.click("#again")
    page.click("#setup [type=submit]")
    top, bottom = page.script("const box = document.getElementById('board').getBoundingClientRect(); return [box.top, box.bottom]")
    assert top >= 0 and bottom <= PHONE[1], f"after 'New game' the board is at {top} to {bottom}"
    page.look()


def a_cycle_plays_by_itself(page):
    page.open(f"?position={DRAWN}")
    equal(page.text("#run"), "▶ Play the cycle")
    seen = set()
    page.click("#run")
    for _ in range(90):
        seen.add(page.board)
        if len(seen) == 6:
            break
        time.sleep(0.1)
    equal((len(seen), page.text("#run")), (6, "Stop"))
    page.click("#run")
    still = page.board
    time.sleep(1.5)
    equal((page.board, page.text("#run")), (still, "▶ Play the cycle"))


def jumps_are_animated(page):
    kept, page.media = page.media, {"prefers-reduced-motion": "no-preference"}
    try:
        page.look(DESKTOP)
        page.open("?position=o@o.o.o....")
        page.script("document.querySelector(\"#moves [data-move='@5']\").click()")
        moving = page.script("return document.getAnimations().filter((one) => one.effect.target.matches('.piece')).length")
        equal(moving, 3)  # the ball and the two removed stones
        time.sleep(1)
        equal(len(page.all("#board .gone")), 0)
    finally:
        page.media = kept
        page.look()


def a_lost_server_is_asked_again(page):
    page.open("?position=o@o.o.o....")
    page.browser.execute_cdp_cmd("Network.enable", {})
    page.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/api/probe*"]})
    page.click("#moves [data-move='@5']")
    wait(page, lambda: "The server does not answer. Trying again in" in page.text("#problem"))
    equal(page.board, "o....@o....")
    page.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    wait(page, lambda: page.value == "Left wins in 12 plies")
    assert not page.find("#problem").is_displayed()
    page.browser.get_log("browser")  # logs the failed requests


def winning_turn(page, position):
    (turn,) = [turn["move"] for turn in probe(page.server, position)["turns"] if turn["value"] == "win"]
    return turn


def make_winning_turn(page):
    """Makes the only winning turn of the puzzle that the page shows."""
    board = page.address["position"]
    make_turn(page, strip_turn(winning_turn(page, board), board), board.index("@"))


def puzzles_have_one_winning_turn(page):
    page.visit("puzzles")
    equal(page.text("#count"), "You have solved 0 of 37.")
    with urlopen(f"{page.server}/page/puzzles.json") as file:
        puzzles = json.load(file)
    names = [f"win in {one['depth']} plies" if one["depth"] else f"win on {len(one['position'])} squares" for one in puzzles]
    equal([card.text for card in page.all("#puzzles a")], [f"Puzzle {number}: {name}" for number, name in enumerate(names, 1)])
    order = [one["depth"] or len(one["position"]) for one in puzzles]
    equal(order, sorted(order))
    for puzzle in puzzles:
        equal((winning_turn(page, puzzle["position"]), probe(page.server, puzzle["position"])["depth"]), (puzzle["move"], puzzle["depth"]))
    # The last ones need a jump away from the goal that Left attacks, which no text gives away.
    assert "jump" not in page.text("#puzzles") + page.text("section:has(#puzzles) .note")
    assert all(int(puzzle["move"][1:]) < puzzle["position"].index("@") for puzzle in puzzles[-9:]), puzzles[-9:]
    # A strip of more than 36 squares has a row of its own.
    widths = page.script("return [...document.querySelectorAll('#puzzles li')].map((item) => item.clientWidth)")
    assert min(widths[31:]) > 2 * max(widths[:31]), widths
    page.visit("puzzles")
    page.find("#puzzles li:nth-child(4) a").click()
    page.settle()
    equal((page.text("#setup-line").split(" · ")[0], page.text("#said")), ("Puzzle 4", "Puzzle 4: only one turn wins. Find it."))
    page.touch(3)
    assert "Not that one: it loses" in page.text("#said"), page.text("#said")
    # The game is lost at once: the next puzzle is offered, the answer is not.
    equal((page.value, page.find("#mark").is_displayed(), page.find("#from-start").is_displayed()), ("Right has won", False, False))
    wait(page, lambda: page.text("#next") == "Next puzzle")
    page.click("#takeback")
    page.touch(1)
    page.touch(5)
    if page.find("#endjump").is_displayed():
        page.click("#endjump")
    assert page.text("#said").startswith("Solved: that is the only winning turn."), page.text("#said")
    equal((page.text("#solved b"), page.text("#setup-line").split(" · ")[:2]), ("✓ Solved", ["Puzzle 4", "✓ solved"]))
    wait(page, lambda: page.text("#next") == "Next puzzle")
    page.click("#next")
    equal((page.text("#setup-line").split(" · ")[0], page.address["position"]), ("Puzzle 5", puzzles[4]["position"]))
    assert not page.find("#solved").is_displayed(), "the next puzzle is open"
    page.visit("puzzles")
    equal([number for number, card in enumerate(page.all("#puzzles a"), 1) if "✓ Solved" in card.text], [4])
    equal(page.text("#count"), "You have solved 1 of 37.")
    page.script("localStorage.clear()")


def a_solution_with_a_hint_is_marked(page):
    """The mark of a puzzle tells if a hint, or its values in Explore, came first."""
    for number, shown in [(4, None), (5, "#hint"), (6, "#mode-explore")]:
        page.visit("puzzles")
        page.find(f"#puzzles li:nth-child({number}) a").click()
        page.settle()
        query = page.browser.current_url.split("/")[-1]
        if shown:
            page.click(shown)
        page.open(query)  # the note outlives the page
        make_winning_turn(page)
        equal(page.text("#mark"), "✓ Solved with a hint" if shown else "✓ Solved")
        page.open(query)
        page.click("#hint")  # too late to change the mark
    page.visit("puzzles")
    marks = {number: card.text.split("\n")[-1] for number, card in enumerate(page.all("#puzzles a"), 1) if "✓" in card.text}
    equal(marks, {4: "✓ Solved", 5: "✓ Solved with a hint", 6: "✓ Solved with a hint"})
    equal(page.text("#count"), "You have solved 3 of 37, 2 with a hint.")
    page.script("localStorage.clear()")


def streak(page):
    page.visit("puzzles")
    wait(page, lambda: page.text("#streak"))
    return page.text("#streak")


def the_puzzle_of_the_day_makes_a_streak(page):
    assert streak(page) == "Your streak: 0 days."
    with urlopen(f"{page.server}/api/puzzle") as file:
        today = json.load(file)
    with urlopen(f"{page.server}/page/puzzles.json") as file:
        assert today["position"] not in [one["position"] for one in json.load(file)]
    date = lambda form, day=0: time.strftime(form, time.gmtime(86400 * (today["day"] + day)))
    equal(page.text("#daily a"), f"{date('%A %-d %B')}: win in {today['depth']} plies")
    query = f"?mode=play&position={today['position']}&side=left&you=left&level=0&puzzle={date('%Y-%m-%d')}"
    equal(page.find("#daily a").get_attribute("href"), f"{page.server}/{query}")
    assert "A missed day or a hint ends a streak." in page.text("section:has(#streak)"), page.text("section:has(#streak)")
    for day, days, hint, after in [(-9, 3, False, "1 day"), (-1, 3, False, "4 days"), (-2, 3, False, "1 day"), (-1, 3, True, "0 days"), (0, 3, True, "3 days")]:
        page.script("localStorage.clear(); localStorage.setItem('streak', JSON.stringify({day: arguments[0], days: arguments[1]}))", today["day"] + day, days)
        equal(streak(page), f"Your streak: {days if day > -2 else 0} days.")
        page.find("#daily a").click()
        page.settle()
        equal(page.text("#setup-line").split(" · ")[0], f"Puzzle of {date('%Y-%m-%d')}")
        if hint:
            page.click("#hint")
        make_winning_turn(page)
        equal((day, streak(page)), (day, f"Your streak: {after}."))
        assert page.text("#daily a").endswith("✓ Solved with a hint" if hint else "✓ Solved"), page.text("#daily a")
    # Yesterday's puzzle, solved after midnight, counts for yesterday; an older or a later one does not count.
    for day, after in [(-1, "1 day"), (-2, "0 days"), (3, "0 days")]:
        page.script("localStorage.clear()")
        with urlopen(f"{page.server}/api/puzzle?day={today['day'] + day}") as file:
            board = json.load(file)["position"]
        page.open(f"?mode=play&position={board}&side=left&you=left&level=0&puzzle={date('%Y-%m-%d', day)}")
        make_winning_turn(page)
        equal((day, streak(page)), (day, f"Your streak: {after}."))
    page.script("localStorage.clear()")


def foreign_marks_do_no_harm(page):
    """Local storage may hold anything: the page shows nothing of it and still works."""
    kept = ["x", "5", "null", '"o@o"', '{"a": 1}', "[1, null, {}]", '{"day": 1e9, "days": 3}', '{"day": "1", "days": 3}', '{"day": 20000, "days": 1e8}']
    for text in kept:
        streak(page)
        page.script("for (const name of ['solved', 'hinted', 'streak']) localStorage.setItem(name, arguments[0])", text)
        equal((text, streak(page), page.text("#count")), (text, "Your streak: 0 days.", "You have solved 0 of 37."))
        assert not page.find("#problem").is_displayed(), page.text("#problem")
        page.find("#daily a").click()
        page.settle()
        make_winning_turn(page)
        equal((text, streak(page)), (text, "Your streak: 1 day."))
    page.script("localStorage.clear()")


def a_lesson_of_three_boards_leads_to_the_puzzles(page):
    page.open()
    page.click("#lesson")
    for number, squares in enumerate([[3, 6], [1, 4], [3]], 1):
        equal((page.text("#setup-line").split(" · ")[0], page.value), (f"Lesson {number}", "Your turn"))
        at = page.address["position"]
        equal(sum(turn["value"] == "win" for turn in probe(page.server, at)["turns"]), 1)
        for square in squares:
            page.touch(square)
        assert page.text("#said").startswith("Solved."), page.text("#said")
        wait(page, lambda: page.text("#next") == ("Puzzle 1" if number == 3 else "Next lesson"))
        page.click("#next")
    equal(page.text("#setup-line").split(" · ")[0], "Puzzle 1")
    page.visit("puzzles")
    equal([card.text.endswith("✓ Solved") for card in page.all("#lessons a")], [True] * 3)
    page.script("localStorage.clear()")


def the_atlas_belongs_to_the_site(page):
    page.visit("docs/atlas")
    equal(page.text("header nav a[href='../puzzles']"), "Puzzles")
    assert page.all("#the-result") and page.all("main svg"), "headings are anchors, pictures are in the page"
    assert "`" not in page.text("main table") and page.all("main td code"), "code is shown as code"
    page.find("header a").click()
    page.settle()
    equal(page.value, "Your turn")


TESTS = [
    puzzles_have_one_winning_turn,
    a_solution_with_a_hint_is_marked,
    the_puzzle_of_the_day_makes_a_streak,
    foreign_marks_do_no_harm,
    a_lesson_of_three_boards_leads_to_the_puzzles,
    the_atlas_belongs_to_the_site,
    the_rules_show_every_turn,
    the_interface_is_described,
    a_wrong_path_leads_back,
    statistics_have_charts_where_they_are_asked_for,
    statistics_list_every_board,
    details_stay_open_while_the_list_grows,
    statistics_fit_the_screen,
    the_potentials_say_who_is_ahead,
    a_game_has_a_value_bar_and_a_curve,
    a_game_without_depths_has_bands,
    a_lost_game_is_played_again,
    a_cycle_plays_by_itself,
    jumps_are_animated,
    a_lost_server_is_asked_again,
]
