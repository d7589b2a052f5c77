"""Tests of games against the program: turns, hints, messages, and levels."""

import tempfile
from pathlib import Path

from page_driver import DESKTOP, DRAWN, PHONE, SMALL, equal, make_turn, pitch_turn, probe, saved, strip_turn
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait


def win_by_clicks(page, read):
    """Plays the best turns by clicks until the game is over."""
    for _ in range(60):
        if page.value != "Your turn":
            break
        at = page.address
        extra = "&nimbers=true" if at["game"] == "obstruction" else f"&side={at['side']}"
        best = probe(page.server, at["position"], extra)["turns"][0]
        equal(best["value"], "win")
        board = page.board
        make_turn(page, read(best["move"], board), board.find("@"))
    equal(page.value, "You have won")
    assert "No mistakes: you kept the win on every turn." == page.text("#review-words"), page.text("#review-words")


def a_strip_is_won_by_clicks(page):
    for size, scheme in [(DESKTOP, "light"), (PHONE, "dark")]:
        page.look(size, scheme)
        page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left&level=0")
        win_by_clicks(page, strip_turn)
    page.look()


def a_pitch_is_won_by_clicks(page):
    for size, scheme in [(SMALL, "light"), (PHONE, "light")]:
        page.look(size, scheme)
        page.open("?game=pitch&mode=play")
        equal((page.address.get("game"), page.text("#board .goal.side0")), ("pitch", "Alfred's goal ↑"))
        page.choose("size", "7x3")
        page.click("#setup [type=submit]")
        equal(page.notation, "3/3/3/1@1/3/3/3")
        win_by_clicks(page, lambda move, _: pitch_turn(move, 7, 3))
    page.look()


def obstruction_is_won_by_clicks(page):
    page.open()
    page.choose("game", "obstruction")
    page.choose("size", "6x6")
    page.click("#setup [type=submit]")
    equal(page.address["game"], "obstruction")
    win_by_clicks(page, lambda move, _: {"jump": False, "squares": [(int(move[1 : move.index("c")]) - 1) * 6 + int(move[move.index("c") + 1 :]) - 1]})


def a_game_is_played_by_keys_alone(page):
    """Tab, arrows and Enter make every turn."""
    page.open("?game=strip&mode=play&position=....@....&side=left&you=left&level=0")
    page.find("#board .square[tabindex='0']").send_keys("")
    for _ in range(30):
        if page.value != "Your turn":
            break
        at = page.address
        board = page.board
        best = strip_turn(probe(page.server, at["position"], f"&side={at['side']}")["turns"][0]["move"], board)
        stops = ([board.index("@")] if best["jump"] else []) + best["squares"]
        for stop in stops:
            if stop in ("L", "R"):
                page.browser.switch_to.active_element.send_keys(Keys.SHIFT + Keys.TAB + Keys.SHIFT)
                for _ in range(3):
                    if "landing" in page.browser.switch_to.active_element.get_attribute("class"):
                        break
                    page.browser.switch_to.active_element.send_keys(Keys.SHIFT + Keys.TAB + Keys.SHIFT)
                page.press(Keys.ENTER)
                break
            focused = int(page.browser.switch_to.active_element.get_attribute("data-square"))
            for _ in range(abs(stop - focused)):
                page.press(Keys.ARROW_RIGHT if stop > focused else Keys.ARROW_LEFT)
            page.press(Keys.ENTER)
        if page.find("#jumping").is_displayed():
            page.press("e")
    equal(page.value, "You have won")


def jumps_go_on_or_end(page):
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    page.touch(1)
    landings = [int(one.get_attribute("data-square")) for one in page.all("#board .square.landing")]
    equal(landings, [3])
    assert "landing" in page.find(".goal.side1").get_attribute("class"), "the goal of Right is a landing too"
    page.touch(3)
    equal((page.board, page.value), ("o..@o.o....", "Your turn"))
    equal(page.address["position"], "o@o.o.o....")
    page.click("#canceljump")
    equal(page.board, "o@o.o.o....")
    page.touch(1)
    page.touch(3)
    page.touch(3)  # a click on the ball does not end the jump
    equal((page.board, page.find("#endjump").is_displayed()), ("o..@o.o....", True))
    page.touch(5)
    page.click("#endjump")
    assert page.text("#said").startswith("Perfect. You win in 12 more plies."), page.text("#said")
    assert "best" in page.text("#record li:first-child"), page.text("#record")


def a_jump_of_several_hops_is_one_choice(page):
    """Also with a hint before it, and by dragging the ball."""
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    page.click("#hint")
    page.touch(1)
    equal([int(one.get_attribute("data-square")) for one in page.all("#board .square.later")], [5, 7])
    page.touch(5)
    equal((page.board, page.find("#endjump").is_displayed(), page.find("#canceljump").is_displayed()), ("o....@o....", True, True))
    page.click("#hint")  # is about a whole turn
    equal(page.board, "o@o.o.o....")
    drag = lambda target: webdriver.ActionChains(page.browser).click_and_hold(page.find("#board .square.ball")).move_to_element(page.find(target)).release().perform()
    drag("#board [data-square='5']")
    page.settle()
    equal((page.board, page.find("#endjump").is_displayed()), ("o....@o....", True))
    page.click("#canceljump")
    drag("#board [data-square='4']")  # not a landing
    page.settle()
    equal((page.board, page.text("#said")), ("o@o.o.o....", "The ball can jump to the marked squares only."))
    drag("#board .goal.side1")
    page.settle()
    equal(page.value, "Right has won")


def a_click_that_plays_nothing_says_why(page):
    """Beside the landings of a selected ball, on a stone, and on blocked squares; jumps are announced."""
    page.look(PHONE)
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    equal(page.find("#said").get_attribute("aria-live"), "polite")
    page.touch(0)
    assert page.text("#said").startswith("There is a stone already."), page.text("#said")
    page.find("#board [data-square='1']").send_keys(Keys.ENTER)
    equal(page.text("#said"), "The ball can jump to 3, 5, 7 or over Right's goal.")
    page.touch(4)  # a stone between two landings
    page.touch(8)  # an empty square beside the landing 7
    equal((page.board, len(page.all("#record li"))), ("o@o.o.o....", 0))
    assert page.text("#said").startswith("The ball cannot land there. Nothing was played."), page.text("#said")
    page.touch(1)  # deselects the ball
    page.touch(8)
    equal(len(page.all("#record li")), 2)
    page.open("?game=strip&mode=play&position=....@....&side=left&you=left")
    page.touch(4)  # this ball cannot jump, and a stone can be placed afterwards
    equal(page.text("#said"), "The ball can only jump over a stone next to it.")
    page.touch(0)
    equal(len(page.all("#record li")), 2)
    page.open("?game=obstruction&mode=play&position=obstruction:x..../...../.....&you=first")
    for square, words in [(0, "This square is marked already."), (1, "This square is blocked by a mark beside it.")]:
        page.touch(square)
        equal(page.text("#said"), words)
    page.look()


def the_value_bar_shows_its_words(page):
    """No part of the words is cut off, and the middle line does not cross them."""
    for size in [PHONE, DESKTOP]:
        page.look(size)
        for query in ["?position=o@o.o.o....", "?position=3/1@1/3", f"?position={DRAWN}"]:
            page.open(query)
            assert page.find("#bar").is_displayed(), query
            for words in [page.text("#bar"), "Draw: neither player can win"]:
                whole = page.script(
                    "const span = document.querySelector('#bar span'); span.textContent = arguments[0];"
                    "const range = document.createRange(); range.selectNodeContents(span);"
                    "const [text, bar] = [range, document.getElementById('bar')].map((one) => one.getBoundingClientRect());"
                    "return text.top >= bar.top - 1 && text.bottom <= bar.bottom + 1 && text.left >= bar.left - 1 && text.right <= bar.right + 1", words
                )
                assert whole, (size, query, words)
            ground = page.script("return getComputedStyle(document.getElementById('bar'), '::after').backgroundColor")
            equal(ground, "rgba(0, 0, 0, 0)")
    page.look()


def a_win_that_the_program_gave_is_no_win_kept(page):
    """A game from a lost position, with the program's mistake after the first turn."""
    page.open("?game=strip&mode=play&position=o@o.oo....&side=left&you=left")
    page.script("""
        const entry = history.state, [first] = entry.record;
        const after = (side, by, turn, value, winner = null) => ({ ...first, side, by, turn, winner, answer: value && { value, depth: null } });
        const record = [{ ...first, answer: { value: "loss", depth: null } }, after(1, 0, "o3", "win"), after(0, 1, "o6", "win"), after(1, 0, "@R", null, 0)];
        history.replaceState({ ...entry, record }, "", location.href);
    """)
    page.browser.refresh()
    page.settle()
    equal((page.value, page.text("#review-words")), ("You have won", "No mistakes: you could not win from the starting position, until the program let you."))
    equal(page.text("#review-list"), "Turn 2, Right: o6. That gave you the win.")


def mistakes_are_reported(page):
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    for square in [1, 3, 5, 7]:  # jumps all three stones, the mistake named in the paper
        page.touch(square)
    assert "gave away the win" in page.text("#said") and "Right wins in 13 more plies" in page.text("#said"), page.text("#said")
    assert "Better: jump to 3, 5" in page.text("#said"), page.text("#said")
    while page.value == "Your turn":
        at = page.address
        worst = probe(page.server, at["position"], f"&side={at['side']}")["turns"][-1]["move"]
        board = page.board
        make_turn(page, strip_turn(worst, board), board.find("@"))
    equal(page.value, "Right has won")
    equal(page.text("#review-words"), "You made 1 mistake. 1 turn changed who wins:")
    board, review = (page.script("const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.top, box.right, box.left]", one) for one in ["#table", "#review"])
    assert review[0] < 300 and review[2] > board[1], f"the review is not beside the board: {board}, {review}"
    page.click("#new")
    assert page.find("#squares").is_displayed(), "the choices of a new game are open"
    page.click("#share-game")
    assert page.text("#share-game").startswith("Cop"), page.text("#share-game")
    page.click("#from-start")
    equal((page.notation, page.value, len(page.all("#line .step"))), ("o@o.o.o....", "Left wins in 13 plies", 13))
    page.back()
    page.click("#review-list button")
    equal((page.notation, page.value), ("o@o.o.o....", "Left wins in 13 plies"))
    page.back()
    equal(page.value, "Right has won")


def hints_and_take_back(page):
    page.open("?game=strip&mode=play&position=o@o.o.o....&side=left&you=left")
    page.click("#hint")
    equal(page.text("#said"), "jump to 3, 5: You win in 13 plies.")
    page.touch(9)
    assert len(page.all("#record li")) == 2
    page.click("#takeback")
    equal((page.board, len(page.all("#record li"))), ("o@o.o.o....", 0))
    page.open("?game=strip&mode=play&position=....@....&side=left&you=right")  # the program begins
    equal((len(page.all("#record li")), page.value, page.able("#takeback")), (1, "Your turn", False))
    page.click("#setup [type=submit]")  # the game before is not taken back
    equal((len(page.all("#record li")), page.able("#takeback")), (1, False))


START = "?game=strip&mode=play&position=o@o.o.o....&side=left&you=left&level=0"


def a_game_is_kept_until_a_new_one_is_wanted(page):
    """Through Explore, through the other pages, and through a reload."""
    page.open(START)
    for square in [1, 3, 5]:
        page.touch(square)
    page.click("#endjump")
    kept = (page.board, page.text("#record"), page.text("#setup-line"))
    page.click("#mode-explore")
    page.edit(10, "stone")
    page.click("#mode-play")
    equal((page.board, page.text("#record"), page.text("#setup-line")), kept)
    page.browser.refresh()
    page.settle()
    for link in ["header h1 a", "header nav a"]:
        page.visit("rules")
        page.find(link).click()
        page.settle()
        equal((page.board, page.text("#record"), page.text("#setup-line")), kept)
    page.click("#takeback")
    equal((page.board, len(page.all("#record li")), page.able("#takeback")), ("o@o.o.o....", 0, False))
    page.touch(1)
    page.click("#board .goal.side1")
    equal(page.value, "Right has won")
    page.click("#mode-explore")
    page.click("#mode-play")
    equal((page.value, page.text("#mover"), len(page.all("#record li"))), ("Right has won", "You were Left.", 1))
    page.click("#mode-explore")
    page.click("#moves [data-move='@5']")
    page.click("#play-here")
    equal((page.address["position"], page.address["you"], page.text("#mover")[:13]), ("o....@o....", "right", "You are Right"))
    equal((page.value, page.find("#game-list").is_displayed()), ("Your turn", False))


def a_game_is_opened_again(page):
    """From its link and from both files, with its review and its list of turns."""
    page.open(START)
    for square in [1, 3, 5, 7]:  # jumps all three stones, a mistake
        page.touch(square)
    while page.value == "Your turn":
        at = page.address
        worst = probe(page.server, at["position"], f"&side={at['side']}")["turns"][-1]["move"]
        board = page.board
        make_turn(page, strip_turn(worst, board), board.find("@"))
    turns = "return [...document.querySelectorAll('#record .what')].map((one) => one.firstChild.textContent)"
    shown = lambda: (page.value, page.text("#mover"), page.text("#review-words"), page.script(turns))
    value, *_ = before = shown()
    equal(value, "Right has won")
    page.click("#share-game")
    link = page.browser.current_url
    texts = saved(page)
    page.open(link[len(page.server) + 1 :])
    equal(shown(), before)
    page.click("#takeback")
    equal(page.value, "Your turn")
    for number, text in enumerate(texts):
        page.open()
        page.script("document.getElementById('setup-box').open = true")
        path = Path(tempfile.mkdtemp()) / f"game{number}"
        path.write_text(text)
        page.find("#file").send_keys(str(path))
        WebDriverWait(page.browser, 10).until(lambda _: page.value == value)
        page.settle()
        equal(shown(), before)
        path.write_text("(;GM[1])")
        page.script("document.getElementById('setup-box').open = true")
        page.find("#file").send_keys(str(path))
        WebDriverWait(page.browser, 10).until(lambda _: "no game" in page.text("#notation-problem"))
        equal(page.value, value)
    for turns, words in [("o9,o9", "turn 2"), ("@9", "turn 1"), ("o", "turn 1"), ("hello", "turn 1"), ("@L,o3", "turn 2")]:
        page.open(f"{START}&turns={turns}")
        equal(page.value, "Invalid position")
        assert words in page.text("#problem"), page.text("#problem")
    for query in ["?game=obstruction&mode=play&position=obstruction:3x3&turns=r1c1,r3c3", "?mode=play&position=5/1@oo1/5&turns=b2-e2"]:
        page.open(query)
        assert page.value.endswith("won") or len(page.all("#record li")) >= query.count(",") + 1, (query, page.value)


def praise_needs_depths(page):
    """Where no depths are known, a turn is never called perfect or best."""
    page.open(f"?game=strip&mode=play&position={'.' * 20}@{'.' * 19}&side=left&you=left&level=0")
    page.touch(21)  # wins
    assert page.text("#said").startswith("That keeps the win."), page.text("#said")
    equal(page.text("#record .remark"), "keeps the win")
    page.open("?game=obstruction&mode=play&position=obstruction:3x3&you=first&level=0")
    page.touch(4)
    assert "Perfect" not in page.text("#said") and "best" not in page.text("#record"), page.text("#record")


def the_heading_says_whose_turn_it_is(page):
    """At once, before the server has answered; a click meanwhile is answered in the status line."""
    equal(page.find("#said").get_attribute("role"), "status")
    page.open(START)
    page.script("window.fetch = () => new Promise(() => {})")
    page.script("document.querySelector(\"#board [data-square='9']\").click()")
    equal(page.value, "Right is thinking …")
    page.script("document.querySelector(\"#board [data-square='8']\").click()")
    equal((page.text("#said"), page.board), ("It is Right's turn. Nothing was played.", "o@o.o.o..o."))
    page.open(START)
    page.touch(1)
    page.click("#board .goal.side1")
    page.touch(4)
    equal(page.text("#said"), "The game is over. Nothing was played.")
    page.open("?position=.@.......")
    page.edit(0, "ball")
    equal(page.text("#said"), "The ball cannot be put there. Nothing was changed.")


def the_console_stays_empty(page):
    """Malformed positions are explained without a refused request."""
    page.open("?mode=explore")
    page.browser.get_log("browser")
    for typed, words in [("o.o", "no ball"), ("@..", "goal-line"), ("hello", "is not a square")]:
        page.type(typed)
        WebDriverWait(page.browser, 10).until(lambda _: words in page.text("#notation-problem"))
    page.open("?position=.@x&side=left")
    assert "'x' in column 3" in page.text("#problem"), page.text("#problem")
    equal(page.browser.get_log("browser"), [])


def a_newcomer_plays_the_beginner(page):
    page.open()
    assert page.text("#setup-line").endswith("a beginner"), page.text("#setup-line")
    page.open("?position=....@....&mode=play")
    assert page.text("#setup-line").endswith("perfect play"), page.text("#setup-line")


def a_win_is_followed_by_a_stronger_opponent(page):
    for level, line in [(3, "play with mistakes"), (0, None)]:
        page.open(f"?mode=play&position=.oo@oo.&side=left&you=left&level={level}")
        page.touch(3)
        page.touch(6)
        equal((page.value, page.find("#stronger").is_displayed(), page.find("#easier").is_displayed()), ("You have won", level > 0, False))
        if line:
            page.click("#stronger")
            assert page.text("#setup-line").endswith(line), page.text("#setup-line")


def two_people_play_at_one_board(page):
    """Visitors play both sides; the program neither plays nor judges their turns."""
    page.open()
    page.choose("level", "shared")
    assert not page.find("#you-box").is_displayed()
    page.choose("game", "strip")
    page.click("#setup [type=submit]")
    equal((page.value, page.text("#mover"), page.address["you"]), ("Left to move", "Bring the ball to Left's goal.", "both"))
    page.touch(5)
    equal((page.value, page.text("#mover"), page.text("#said")), ("Right to move", "Bring the ball to Right's goal.", "Left: stone on 5."))
    page.touch(3)
    equal((page.value, len(page.all("#record li"))), ("Left to move", 2))
    page.click("#takeback")
    equal((page.value, len(page.all("#record li"))), ("Right to move", 1))
    page.browser.refresh()
    page.settle()
    assert page.text("#setup-line").endswith("two people"), page.text("#setup-line")
    page.touch(4)
    page.click("#board .square.landing")  # Right jumps
    page.click("#mode-explore")
    page.click("#mode-play")
    equal((page.value, page.address["you"]), ("Left to move", "both"))
    page.open("?mode=play&position=o@o.o.o....&side=left&you=both")
    page.touch(1)
    page.click("#board .goal.side1")
    equal((page.value, page.text("#mover"), page.text("#review-words")), ("Right has won", "", "1 turn changed who wins:"))
    equal(page.text("#review-list"), "Turn 1, Left: jump over Right's goal. That gave Right the win.")
    equal([page.find(f"#{button}").is_displayed() for button in ["again", "one-longer", "other-side", "stronger", "easier"]], [True, True, False, False, False])
    page.click("#share-game")
    page.open(page.browser.current_url[len(page.server) + 1 :])
    equal((page.value, page.text("#review-words")), ("Right has won", "1 turn changed who wins:"))


def a_directional_strip_is_won(page):
    """Jumps lead to the mover's own goal only, as the server says."""
    page.open()
    page.choose("game", "directional")
    page.choose("level", "0")
    page.click("#setup [type=submit]")
    equal((page.address["game"], page.text("#setup-line").split(" · ")[0]), ("directional", "Directional strip"))
    page.open("?game=directional&mode=play&position=..o@o.....&side=left&you=left&level=0")
    page.touch(3)
    equal([int(one.get_attribute("data-square")) for one in page.all("#board .landing")], [5])
    page.touch(3)
    for _ in range(40):
        if page.value != "Your turn":
            break
        at = page.address
        best = probe(page.server, at["position"], f"&side={at['side']}&rules=directional")
        equal(best["winner"], "left")
        board = page.board
        make_turn(page, strip_turn(best["turns"][0]["move"], board), board.index("@"))
    equal(page.value, "You have won")
    page.click("#from-start")
    equal((page.notation, page.find("#why").is_displayed()), ("..o@o.....", False))
    values = {turn["move"]: turn["value"] for turn in probe(page.server, "..o@o.....", "&rules=directional")["turns"]}
    page.script("document.querySelectorAll('#moves details').forEach((box) => (box.open = true))")
    equal({entry.get_attribute("data-move") for entry in page.all("#moves .entry")}, set(values))


def a_pitch_that_no_table_has_is_played(page):
    """The program searches; the page says that the value is unknown, and praises nothing."""
    page.open("?game=pitch&mode=play")
    page.choose("size", "19x15")
    page.choose("level", "0")
    page.click("#setup [type=submit]")
    equal(len(page.board), 285)
    assert "who wins is unknown" in page.text("#mover"), page.text("#mover")
    assert page.text("#setup-line").endswith("the best turn that a search finds"), page.text("#setup-line")
    ball = page.board.index("@")
    page.touch(ball - 15)
    equal((page.value, len(page.all("#record li"))), ("Your turn", 2))
    assert page.text("#said").startswith("Betty: "), page.text("#said")
    equal(page.all("#record .remark"), [])
    page.click("#hint")
    WebDriverWait(page.browser, 20).until(lambda _: page.text("#said").endswith(": the program would play this."))
    page.click("#takeback")
    equal(len(page.all("#record li")), 0)
    # Betty can win at once, and does.
    page.open("?game=pitch&mode=play&position=9/9/9/9/9/4@4/9/4o4/9&side=alfred&you=alfred&level=0")
    page.touch(6 * 9 + 4)
    equal((page.value, page.text("#review-words")), ("Betty has won", "No mistake is known."))
    page.open("?game=pitch&mode=play&position=9/9/9/9/4@4/9/9/9/9&side=alfred&you=betty&level=3")
    equal((page.value, len(page.all("#record li"))), ("Your turn", 1))
    page.browser.get_log("browser")  # logs the refusals


def weakness_is_chosen(page):
    """The beginner level gives away wins; perfect play never does."""
    dropped = {0: 0, 3: 0}
    for level in dropped:
        for _ in range(8):
            # The program is Left, whose only winning turn wins in 13.
            page.open(f"?game=strip&mode=play&position=o@o.o.o....&side=left&you=right&level={level}")
            at = page.address
            after = probe(page.server, at["position"], f"&side={at['side']}")
            dropped[level] += after["value"] == "win"
    equal(dropped[0], 0)
    assert dropped[3] > 0, dropped


def a_length_is_typed_and_a_board_is_drawn_at_random(page):
    page.open()
    page.find("#setup-box summary").click()
    field = page.find("#squares")
    equal((field.get_property("value"), page.find("#size").is_displayed()), ("9", False))
    for typed, squares in [("2", 9), ("50", 50), ("1001", 50)]:
        page.script("document.getElementById('setup-box').open = true")
        field.clear()
        field.send_keys(typed + Keys.ENTER)
        page.settle()
        equal(len(page.board), squares)  # lengths that the page does not play are refused
    field.clear()
    field.send_keys("100")
    page.click("#setup #random")
    first = page.address["position"]
    assert len(first) == 100 and 5 < first.count("o") < 50 and first[0] + first[-1] == "..", first
    page.click("#setup #random")
    assert page.address["position"] != first
    for game, piece in [("pitch", "o"), ("obstruction", "x")]:
        page.choose("game", game)
        page.script("document.getElementById('setup-box').open = true")
        equal((page.find("#squares").is_displayed(), page.find("#size").is_displayed()), (False, True))
        for _ in range(5):  # a pitch of 7 x 3 points stays empty in one draw of 60
            page.choose("game", game)
            page.click("#setup #random")
            if piece in page.address["position"].replace("obstruction", ""):
                break
        equal(page.address["game"], game)
        assert piece in page.address["position"].replace("obstruction", ""), page.address["position"]


TESTS = [
    a_length_is_typed_and_a_board_is_drawn_at_random,
    a_strip_is_won_by_clicks,
    a_pitch_is_won_by_clicks,
    obstruction_is_won_by_clicks,
    a_game_is_played_by_keys_alone,
    jumps_go_on_or_end,
    a_click_that_plays_nothing_says_why,
    the_value_bar_shows_its_words,
    a_win_that_the_program_gave_is_no_win_kept,
    mistakes_are_reported,
    hints_and_take_back,
    a_game_is_kept_until_a_new_one_is_wanted,
    a_game_is_opened_again,
    praise_needs_depths,
    the_heading_says_whose_turn_it_is,
    the_console_stays_empty,
    a_newcomer_plays_the_beginner,
    a_jump_of_several_hops_is_one_choice,
    a_win_is_followed_by_a_stronger_opponent,
    two_people_play_at_one_board,
    a_directional_strip_is_won,
    a_pitch_that_no_table_has_is_played,
    weakness_is_chosen,
]
