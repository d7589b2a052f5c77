"""Compares the package with tests/data, computed by other programs, and with enumeration."""

import dataclasses
import importlib.metadata
import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import phutbase
import pytest

DATA = pathlib.Path(__file__).parents[2] / "tests" / "data"
TABLES = phutbase.Tablebase()


def pinned(name):
    lines = (DATA / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and line[0].isdigit()]


@pytest.mark.parametrize("row", pinned("strip_counts.tsv"), ids=lambda row: row[0])
def test_counts_of_strips(row):
    length, wins, losses, draws, longest = map(int, row)
    outcome, depth = TABLES.values(length)
    assert outcome.dtype == np.int8 and depth.dtype == np.uint8
    assert outcome.shape == depth.shape == (length - 2, 2 ** (length - 1))
    found = [int((outcome == value).sum()) for value in (1, -1, 0)]
    assert found == [wins, losses, draws]
    assert depth.max() == longest
    counts = TABLES.stats(length)
    assert [counts.wins, counts.losses, counts.draws] == [wins, losses, draws]
    assert max(counts.longest_win, counts.longest_loss) == longest
    assert counts.positions == outcome.size
    assert TABLES.probe(counts.longest_win_example).depth == counts.longest_win


def test_depths_of_strips():
    for length, plies, positions in (map(int, row) for row in pinned("strip_depths.tsv")):
        outcome, depth = TABLES.values(length)
        assert int((depth == plies).sum()) == positions
        assert set(outcome[depth == plies]) == {1 if plies % 2 else -1}


@pytest.mark.parametrize("row", pinned("pitch_counts.tsv"), ids=lambda row: "x".join(row[:2]))
def test_counts_of_pitches(row):
    rows, columns, positions, wins, losses, draws, longest = map(int, row)
    boards = f"{rows}x{columns}"
    if boards not in TABLES.pitches:
        with pytest.raises(phutbase.MissingTableError, match=boards):
            TABLES.values(boards)
        return
    outcome, depth = TABLES.values(boards)
    assert outcome.shape == (columns * (rows - 2), 2 ** (rows * columns - 1)) and outcome.size == positions
    assert [int((outcome == value).sum()) for value in (1, -1, 0)] == [wins, losses, draws]
    assert depth.max() == longest


def test_nimbers_of_obstruction():
    for m, nimbers in pinned("obstruction.tsv"):
        for n, nimber in enumerate(map(int, nimbers.split()), start=1):
            if int(m) * n <= 25:
                answer = TABLES.probe(f"obstruction:{m}x{n}")
                assert answer.nimber == nimber
                assert answer.value == ("win" if nimber else "loss")
                assert bool(answer.turns) == bool(nimber)


def test_an_index_is_a_place_in_the_arrays():
    outcome, depth = TABLES.values(7)
    for number in range(outcome.size):
        text = phutbase.position(7, number)
        assert phutbase.index(text) == number
        answer = TABLES.probe(text)
        assert {"win": 1, "draw": 0, "loss": -1}[answer.value] == outcome.flat[number]
        assert answer.depth == depth.flat[number]
        # Bit i of the column is the i-th square, not counting the ball's.
        ball, pattern = divmod(number, 2**6)
        squares = ["o" if pattern >> bit & 1 else "." for bit in range(6)]
        squares.insert(ball + 1, "@")
        assert text == "".join(squares)
    for number in range(0, 3 * 3 * 2**8 // 3, 17):
        assert phutbase.index(phutbase.position("3x3", number)) == number


def test_moves_and_lines_fit_together():
    for text in ("o@o.o.o....", ".@.o..o.. R", "3/1o1/1@1/3 A", "3/1o1/1@1/3 B"):
        answer = TABLES.probe(text)
        assert (answer.turns[0].value, answer.turns[0].depth) == (answer.value, answer.depth)
        line = answer.line()
        assert line[0] == answer.turns[0] and len(line) == answer.depth
        for ply, move in enumerate(line[:-1], start=1):
            following = TABLES.probe(move.position)
            assert following.depth == answer.depth - ply
            assert following.side != answer.side if ply % 2 else following.side == answer.side


def test_who_wins_on_long_strips():
    answer = TABLES.probe("o@o.o.o...." + "." * 53)
    assert answer.value in ("win", "loss") and answer.depth is None
    assert TABLES.lengths == list(range(3, 37)) and 64 in TABLES.lengths_without_depths
    counts = TABLES.stats(64)
    assert counts.positions == 62 * 2**63 and counts.longest_win is counts.longest_win_example is None
    with pytest.raises(phutbase.MissingTableError, match="length 40"):
        TABLES.values(40)


def test_strips_of_any_length():
    long = "." * 300 + "@" + "." * 200
    answer = TABLES.probe(long)
    assert (answer.value, answer.depth, answer.backward_turns) == ("win", None, 0)
    reason = answer.reason
    assert (reason.by, reason.lead, reason.left.potential, reason.right.potential) == ("solution", 25, 76, 51)
    assert reason.left == phutbase.Half("." * 300, "L [75]", 76, "b")
    assert all(TABLES.probe(text).reason for text in (long, long + " R", "o" + long, ".@."))
    assert len(answer.turns) == len(phutbase.turns(long)) == 500 and answer.turns[0].value == "win"
    assert answer.turn is answer.turn_counts is None
    assert TABLES.probe_many([long, "o" + long + " R"])[0].tolist() == [1, -1]
    assert TABLES.probe("o@o.o.o....").reason.by == "table"


def test_turns_of_long_strips():
    for length in (200, 1_000, 1_001, 10_000):
        board = "." * (length // 2) + "@o.oo" + "." * (length - length // 2 - 5)
        answer = TABLES.probe(board)
        assert answer.value == answer.turns[0].value == "win"
        legal = {move.move: move.position for move in phutbase.turns(board)}
        assert {move.move: move.position for move in answer.turns} == legal
        # Every empty square, and a stop after each jump.
        assert len(legal) == length - 4 + 2 and (None in legal.values()) == (length > 1_000)
        assert bool(answer.line()) == (length <= 1_000)
    for length in (10_001, 20_000):
        board = "." * (length // 2) + "@o.oo" + "." * (length - length // 2 - 5)
        answer = TABLES.probe(board)
        assert answer.value == "win" and answer.turns == () and answer.line() == []
        assert answer.turn_counts.winning + answer.turn_counts.losing == length - 4 + 2 and answer.turn_counts.winning > 0
        assert answer.turn[0] in "o@"
        with pytest.raises(phutbase.NotationError, match="at most 10000 squares"):
            phutbase.turns(board)


def test_the_winner_gets_home_without_depths():
    board = "." * 60 + "o@oo.oo" + "." * 60
    line = TABLES.probe(board).line()
    assert line[-1].move[0] == "@" and line[-1].value == "win"
    assert [move.value for move in line[-3:]] == ["win", "loss", "win"]


SEQUENCES = {
    int(row.split(",")[0]): [int(field) for field in row.split(",")[1:5]]
    for row in (DATA.parents[1] / "docs" / "atlas" / "sequences.csv").read_text().splitlines()[1:]
}


def test_wins_are_counted_without_a_table(tmp_path):
    tables = phutbase.Tablebase(tmp_path)
    for length in (100, 3, 64, 144, 9):
        counts = tables.stats(length)
        assert [counts.positions, counts.wins, counts.losses, counts.draws] == SEQUENCES[length]
        assert counts.longest_win is counts.longest_loss is counts.longest_win_example is None
    assert tables.stats(145).wins == 2164247426945025099701565063803092773172382100


def test_boards_are_found_without_a_table(tmp_path):
    tables = phutbase.Tablebase(tmp_path)
    assert tables.lengths == tables.lengths_without_depths == []
    assert repr(tables).endswith(": no depths of strips, 0 pitches>")
    for length in (3, 9, 16):
        for value in ("win", "loss", "draw", None):
            for side in ("left", "right"):
                question = dict(value=value, side=side, pattern="*o?@*", limit=20, seed=3) if length > 3 else dict(value=value, side=side)
                assert tables.find(length, **question) == TABLES.find(length, **question)
    count, found = tables.find(80, value="win", side="right", limit=50, seed=1)
    assert count == SEQUENCES[80][1] and len(set(found)) == 50
    assert {tables.probe(text).value for text in found} == {"win"} and all(text.endswith(" R") for text in found)
    for length in (2, 256):
        with pytest.raises(phutbase.NotationError):
            tables.find(length)
    with pytest.raises(phutbase.MissingTableError, match="length 9"):
        tables.find(9, depth=3)


def test_arrays_that_do_not_fit_are_refused_before_they_are_made():
    for length in (41, 60, 128, 255):
        with pytest.raises(phutbase.LimitError, match="at most 40"):
            TABLES.values(length)
    # Two terabytes.
    with pytest.raises(phutbase.LimitError, match="free"):
        TABLES.values(36)
    # Half a terabyte.
    with pytest.raises(phutbase.LimitError, match="4294967295 positions .* free"):
        TABLES.find(64, limit=2**32 - 1, seed=1)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty working directory: only the embedded tables are found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("PHUTBASE_TABLES", raising=False)
    return tmp_path


def test_a_longer_table_answers_for_shorter_strips(elsewhere):
    tables = phutbase.Tablebase()
    assert tables.lengths == list(range(3, 37)) and tables.lengths_without_depths == list(range(37, 65))
    for length in range(3, 13):
        for here, there in zip(tables.values(length), TABLES.values(length), strict=True):
            assert (here == there).all()
        outcome, depth = tables.values(length)
        longest = tables.stats(length).longest_win_example
        assert depth.flat[phutbase.index(longest)] == tables.stats(length).longest_win
        assert (depth[outcome == 1]).max() == tables.stats(length).longest_win
    with pytest.raises(phutbase.MissingTableError, match=r"length 37.*Tablebase\('DIRECTORY'\)"):
        tables.values(37)


@pytest.mark.parametrize(
    "ask, error, word",
    [
        (lambda: TABLES.probe("o@x"), phutbase.NotationError, "is not a square"),
        (lambda: TABLES.find(12, depth=2**20), phutbase.NotationError, "out of range"),
        (lambda: TABLES.find(12, pattern="x"), phutbase.NotationError, "at position 0"),
        (lambda: TABLES.find(64, depth=3), phutbase.MissingTableError, "length 64"),
        (lambda: phutbase.turns("o@x"), phutbase.NotationError, "is not a square"),
        (lambda: phutbase.turns("obstruction:" + "+".join(["1000000"] * 300)), phutbase.LimitError, "here 300"),
        (lambda: TABLES.values("3..5"), phutbase.NotationError, "neither a length"),
        (lambda: TABLES.values(2), phutbase.NotationError, "3 to 255"),
        (lambda: TABLES.probe("5/5/2@2/5/5/5"), phutbase.MissingTableError, "pitch 6x5"),
        # The table is too large to be made, so no command is named.
        (lambda: TABLES.probe("9/9/9/9/4@4/9/9/9/9"), phutbase.MissingTableError, r"pitch 9x9.*; name .*'DIRECTORY'\)$"),
        (lambda: TABLES.probe("obstruction:3x3").line(), phutbase.NotationError, "no best line"),
        (lambda: phutbase.position(4, 16), phutbase.NotationError, "index 16 is out of range"),
        (lambda: phutbase.index("obstruction:3x3"), phutbase.NotationError, "no index"),
    ],
)
def test_errors_are_of_one_family(ask, error, word):
    with pytest.raises(error, match=word) as caught:
        ask()
    assert isinstance(caught.value, phutbase.PhutbaseError)


def test_a_damaged_table_is_an_error_in_a_named_place_and_is_passed_over_elsewhere(elsewhere):
    (elsewhere / "tables").mkdir()
    whole = (DATA.parents[1] / "tables" / "strip-36-dtw.phut").read_bytes()
    middle = len(whole) // 2
    for damaged in (b"nothing", whole[:middle] + bytes([whole[middle] ^ 32]) + whole[middle + 1 :]):
        (elsewhere / "tables" / "strip-36-dtw.phut").write_bytes(damaged)
        named = phutbase.Tablebase(elsewhere / "tables")
        for length in (3, 12):
            with pytest.raises(phutbase.TableError, match="strip-36-dtw.phut"):
                named.values(length)
        assert phutbase.Tablebase().values(12)[1].max() == 19


def test_other_threads_run_during_long_calls():
    # The counter would stop if the call held the interpreter's lock.
    done = threading.Event()
    ticks = 0

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    before, began = ticks, time.monotonic()
    TABLES.values(22)
    during, took = ticks - before, time.monotonic() - began
    done.set()
    counter.join()
    assert during > 20 * took, (during, took)


def test_answers_are_pickled(elsewhere):
    tables = phutbase.Tablebase()
    for answer in (tables.probe("o@o.o.o...."), tables.stats(9)):
        copy = pickle.loads(pickle.dumps(answer))
        assert copy == answer and hash(copy) == hash(answer) and repr(copy) == repr(answer)
    other = phutbase.Tablebase()
    assert other.probe("o@o.o.o....") == tables.probe("o@o.o.o....") != tables.probe("o@o.ooo....")
    assert len({one.probe(".@.") for one in (tables, other)} | {one.stats(9) for one in (tables, other)}) == 2
    assert pickle.loads(pickle.dumps(tables.probe("o@o.o.o...."))).line() == tables.probe("o@o.o.o....").line()


def test_a_forked_child_answers_after_its_parent_did():
    script = (
        "import os, phutbase\n"
        "def work():\n"
        "    assert phutbase.Tablebase().values(16)[1].max() > 0\n"
        "    assert tables.probe('obstruction:5x6').value\n"
        "tables = phutbase.Tablebase()\n"
        "work()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    work()\n"
        "    os._exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


@pytest.mark.parametrize(
    "ask, words",
    [
        (lambda: TABLES.probe("\ud800"), "no valid character at place 0"),
        (lambda: phutbase.position(4, 2**70), f"index {2**70} is out of range: 0 to"),
        (lambda: phutbase.position(4, -1), "index -1 is out of range: 0 to 15$"),
        (lambda: phutbase.position("3x1", "a"), "index a is out of range: 0 to 3$"),
        (lambda: TABLES.probe(5), "'int' object .* 'str' while processing 'position'"),
        (lambda: TABLES.probe(b".@."), "'bytes' object"),
        (lambda: TABLES.probe_many(".@."), "takes a list of positions"),
        (lambda: TABLES.probe_many([".@.", 5]), "^index 1: 'int' object"),
        (lambda: TABLES.probe_many([".@.", ".@.", "o@x"]), "^index 2, 'o@x': 'x' in column 3"),
        (lambda: TABLES.probe_many([".@.", "\ud800"]), "^index 1: .* surrogates not allowed"),
        (lambda: TABLES.probe_many([".@."] * 70_000 + ["@" * 100]), f"^index 70000, '{'@' * 80}…': "),
        (lambda: TABLES.probe_many(["obstruction:3x3"], rules="directional"), "^index 0, 'obstruction:3x3': .*strips and pitches"),
        (lambda: TABLES.probe(".@.", rules="other"), "'other' is not one of ordinary, directional"),
        (lambda: TABLES.probe(".@.", rules=1), "'int' object"),
        (lambda: TABLES.stats(9, rules="directional"), "pitches here; 'probe' values directional strips"),
        (lambda: TABLES.find(9, rules="directional"), "pitches only"),
        (lambda: phutbase.turns("oddish:..o^o.", rules="directional"), "strips and pitches"),
        (lambda: TABLES.probe_many(5), "'int' object is not iterable"),
        (lambda: phutbase.turns(None), "'None'"),
        (lambda: phutbase.index(3), "'int' object"),
        (lambda: phutbase.wins("3/1@1/3 A", limit="x"), "'str'"),
        (lambda: TABLES.find(9, pattern=3), "'int' object"),
        (lambda: TABLES.find(9, depth="a"), "depth a is out of range"),
        (lambda: TABLES.find(9, limit=1.5), "'float' object"),
        (lambda: TABLES.find(None), "'None' is neither a length"),
        (lambda: TABLES.find(-3), "the length -3 is out of range"),
        (lambda: TABLES.find("here"), "'here' is neither a length"),
        (lambda: TABLES.find(9, depth=-1), "depth -1 is out of range"),
        (lambda: TABLES.find(9, ball=(0, 2**70)), f"ball {2**70} is out of range"),
        (lambda: TABLES.find(9, limit=-1), "limit -1 is out of range"),
        (lambda: TABLES.find(9, seed=-1), "seed -1 is out of range"),
        (lambda: TABLES.find("7x3", pattern="o*"), "strips only"),
        (lambda: TABLES.find("7x3", side="up"), "'up' is not one of left, right"),
        (lambda: TABLES.find("7x3", value="tie"), "'tie'"),
    ],
)
def test_what_rust_cannot_hold_is_a_notation_error(ask, words):
    with pytest.raises(phutbase.NotationError, match=words):
        ask()


def test_positions_of_a_pitch():
    outcome, depth = TABLES.values("5x3")
    assert outcome.shape == depth.shape == (9, 2**14)
    for side, letter in (("alfred", "A"), ("betty", "B")):
        count, found = TABLES.find("5x3", value="win", depth=(7, 9), stones=4, side=side, limit=10**6)
        assert count == len(found) == len(set(found)) > 50
        for text in found[::10]:
            answer = TABLES.probe(text)
            assert answer.value == "win" and 7 <= answer.depth <= 9 and text.count("o") == 4 and text.endswith(letter)
    every = TABLES.find("5x3", value="win", depth=(7, 9), limit=0)[0]
    assert every == int(((outcome == 1) & (depth >= 7) & (depth <= 9)).sum())
    draws = TABLES.find("7x3", value="draw", limit=50)[1]
    assert len(draws) == 32
    assert sorted(TABLES.find("7x3", value="draw", limit=50, seed=3)[1]) == sorted(draws)
    count, sample = TABLES.find("7x3", value="draw", limit=8, seed=3)
    assert count == 32 and len(set(sample)) == 8 and set(sample) < set(draws) and sample != draws[:8]
    assert TABLES.find("3x2", value="draw", seed=1) == (0, [])


def test_tables_are_closed(elsewhere):
    with phutbase.Tablebase() as tables:
        answer = tables.probe(".@.o..")
        assert repr(tables) == "<Tablebase: depths of 3 to 36 squares, 15 pitches>"
    assert repr(tables) == "<Tablebase: closed>"
    with pytest.raises(phutbase.PhutbaseError, match="closed"):
        tables.probe(".@.")
    assert len(answer.line()) == 9  # an answer keeps its tables


def test_a_missing_directory_is_an_error(tmp_path):
    with pytest.raises(phutbase.TableError, match="not a directory"):
        phutbase.Tablebase(tmp_path / "none")


def test_many_positions_at_once():
    texts = ["o@o.o.o....", "o@o.ooo....", "3/3/2o/1o1/3/@2/3 A", "o@o.o.o...." + "." * 53]
    outcome, depth = TABLES.probe_many(texts)
    answers = [TABLES.probe(text) for text in texts]
    assert outcome.tolist() == [{"win": 1, "draw": 0, "loss": -1}[answer.value] for answer in answers]
    assert depth.tolist() == [answer.depth or 0 for answer in answers]
    assert TABLES.probe_many(["obstruction:3x3", "oddish:..o^o."])[0].tolist() == [1, 1]


def test_legal_turns_need_no_table(elsewhere):
    texts = ["o@o.o.o....", ".@.o..o.. R", "3/1o1/1@1/3 A", "oddish:..o^o."]
    for text in texts:
        rated = TABLES.probe(text).turns
        legal = phutbase.turns(text)
        assert sorted((move.move, move.position) for move in legal) == sorted((move.move, move.position) for move in rated)
        assert all(move.value is None and move.depth is None for move in legal)
    assert len(phutbase.turns("." * 60 + "@" + "." * 60)) == 120
    assert [(move.move, move.board) for move in phutbase.turns("obstruction:1+2")] == [("r1c1", 1), ("r1c1", 2), ("r1c2", 2)]


PROGRAM = DATA.parents[1] / "target" / "release" / "phutbase"
needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")


def run(*arguments):
    """Returns the lines that the program prints as JSON."""
    found = subprocess.run([PROGRAM, "--json", *map(str, arguments)], capture_output=True, text=True, check=True, timeout=100)
    return [json.loads(line) for line in found.stdout.splitlines()]


def plain(value):
    """Returns objects as JSON has them, without what is not known and without empty lists."""
    if dataclasses.is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        items = {name: plain(item) for name, item in value.items() if name[0] != "_"}
        return {name: item for name, item in items.items() if item not in (None, [])}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


@pytest.fixture(scope="module")
def directional(tmp_path_factory):
    """A directory with the table of a directional pitch, and that of the ordinary game."""
    tables = tmp_path_factory.mktemp("directional")
    for rules in ("directional", "ordinary"):
        subprocess.run([PROGRAM, "generate", "4x3", "--rules", rules, "--tables", tables], capture_output=True, check=True, timeout=100)
    return tables


@needs_program
@pytest.mark.parametrize("rules", ["ordinary", "directional"])
@pytest.mark.parametrize("position", [".@.", "o@o.o.o....", "..o@.o.. R", "." * 40 + "@oo." + "." * 60, "." * 6000 + "@" + "." * 6000, "3/3/@2/2o A", "3/1o1/1@1/3 B"])
def test_an_answer_has_all_that_the_json_has(directional, position, rules):
    answer = phutbase.Tablebase(directional).probe(position, rules=rules)
    [found] = run("probe", position, "--rules", rules, "--tables", directional)
    # What is not known is None.
    missing = found.keys() - vars(answer).keys()
    assert not missing, f"Answer of python/package/phutbase/__init__.py lacks fields of 'probe --json': {missing}"
    different = {name: (value, plain(getattr(answer, name))) for name, value in plain(found).items() if plain(getattr(answer, name)) != value}
    assert not different, f"{position}: fields that differ, with their values in the program and in Python: {different}"
    assert plain(answer) == plain(found) and answer.rules == rules
    line = run("probe", position, "--line", "--rules", rules, "--tables", directional)[0]["line"]
    assert plain(answer.line()) == plain(line)


@needs_program
def test_an_answer_about_obstruction_has_all_that_the_json_has():
    for position in ("obstruction:3x3", "obstruction:1+2x2", "obstruction:misere:2x3", "oddish:..o^o."):
        answer = TABLES.probe(position)
        [found] = run("probe", position)
        for name, item in plain(found).items():
            assert plain(getattr(answer, name)) == item


@needs_program
def test_directional_rules(directional):
    tables = phutbase.Tablebase(directional)
    counts = tables.stats("4x3", rules="directional")
    row = next(row for row in pinned("directional_counts.tsv") if row[:2] == ["4", "3"])
    by_plies = list(map(int, row[2:]))
    assert [counts.wins, counts.losses, counts.draws] == [sum(by_plies[::2]), sum(by_plies[1::2]), 0]
    assert counts.longest_win == 3 and counts != tables.stats("4x3")
    assert tables.probe(counts.longest_win_example, rules="directional").depth == 3
    for plies, expected in enumerate(by_plies, start=1):
        assert tables.find("4x3", depth=plies, rules="directional", limit=0)[0] == expected
    texts = tables.find("4x3", rules="directional", limit=50, seed=1)[1]
    outcome, depth = tables.probe_many(texts, rules="directional")
    answers = [tables.probe(text, rules="directional") for text in texts]
    assert outcome.tolist() == [1 if answer.value == "win" else -1 for answer in answers]
    assert depth.tolist() == [answer.depth for answer in answers]
    for text, answer in zip(texts, answers, strict=True):
        legal = phutbase.turns(text, rules="directional")
        assert sorted(move.position for move in legal) == sorted(move.position for move in answer.turns)
        assert len(legal) <= len(phutbase.turns(text))
        wins = [move.move for move in answer.turns if (move.value, move.depth) == ("win", 1)]
        assert sorted(move.move for move in phutbase.wins(text, rules="directional")[0]) == sorted(wins)


def test_wins_of_directional_strips():
    for length, wins in (map(int, row) for row in pinned("directional_wins.tsv") if int(row[0]) <= 12):
        texts = [phutbase.position(length, number) for number in range((length - 2) << length - 1)]
        assert int((TABLES.probe_many(texts, rules="directional")[0] == 1).sum()) == wins


def test_a_missing_table_of_directional_rules_is_named(tmp_path):
    with pytest.raises(phutbase.MissingTableError, match="4x3 .directional rules.*generate 4x3 --rules directional --tables"):
        phutbase.Tablebase(tmp_path).stats("4x3", rules="directional")


def test_turns_that_win_at_once():
    # Wins in one of the table, and a pitch that no table holds.
    for text in TABLES.find("5x3", value="win", depth=1, limit=200)[1]:
        found, complete = phutbase.wins(text)
        best = [(move.move, move.position) for move in TABLES.probe(text).turns if (move.value, move.depth) == ("win", 1)]
        assert complete and sorted((move.move, move.position) for move in found) == sorted(best)
        assert all((move.value, move.depth) == ("win", 1) for move in found)
    assert phutbase.wins("3/3/2o/1o1/3/@2/3 A") == ([], True)
    large = "15/15/15/15/15/15/15/15/7@7/7o7/15/15/15/15/15/15/15/15/15 B"
    assert phutbase.wins(large) == ([], True)
    found, complete = phutbase.wins("4o/2oo1/@2oo/oooo1/o3o B", limit=1)
    assert len(found) == 1 and not complete
    with pytest.raises(phutbase.NotationError, match="pitches only"):
        phutbase.wins(".@.")
    with pytest.raises(phutbase.NotationError, match="limit 0"):
        phutbase.wins("3/1@1/3 A", limit=0)


def test_positions_of_a_value_a_depth_and_a_pattern():
    outcome, depth = TABLES.values(9)
    expected = {phutbase.position(9, int(number)) for number in ((outcome == -1) & (depth >= 4) & (depth <= 8)).ravel().nonzero()[0]}
    count, positions = TABLES.find(9, value="loss", depth=(4, 8), limit=1000)
    assert count == len(positions) and set(positions) == expected
    count, positions = TABLES.find(9, value="loss", depth=(4, 8), ball=4, stones=(1, 2), pattern=".*")
    chosen = [text for text in expected if text[4] == "@" and text[0] == "." and 1 <= text.count("o") <= 2]
    assert count == len(chosen) and set(positions) <= set(chosen)
    assert TABLES.find(9, value="draw") == (0, [])
    assert TABLES.find(64, side="right", limit=5, seed=1) == TABLES.find(64, side="right", limit=5, seed=1)
    sample = TABLES.find(64, side="right", limit=5, seed=1)[1]
    assert len(set(sample)) == 5 and all(text.endswith(" R") for text in sample)
    every = TABLES.find(7, value="win", limit=10**6)[1]
    assert sorted(TABLES.find(7, value="win", limit=10**6, seed=1)[1]) == sorted(every)


def test_the_version_is_that_of_the_package():
    assert phutbase.__version__ == importlib.metadata.version("phutbase")


class Alarm(Exception):
    """Raised by a signal handler."""


INTERRUPTED = """
import os, signal, sys, time, phutbase
class Alarm(Exception): pass
def handler(number, frame):
    raise Alarm
signal.signal(signal.SIGPROF, handler)
tables = phutbase.Tablebase()
many = ["o@o.o.o....", "..@.o.o.o.o.o.o", "7x3"][:2] * 500_000
work = {
    "probe_many": lambda: tables.probe_many(many),
    "values": lambda: tables.values(26),
    "pitch": lambda: tables.values("7x3"),
    "find": lambda: tables.find(16, limit=1_000_000, seed=1),
}[sys.argv[1]]
if sys.argv[1] == "probe_many":
    work = lambda: [tables.probe_many(many) for _ in range(20)]
# The timer runs by processor time of all threads, so other programs do not count.
after, begun = float(sys.argv[2]), time.process_time()
signal.setitimer(signal.ITIMER_PROF, after)
try:
    work()
except Alarm:
    used = time.process_time() - begun - after
    print("Alarm", used / len(os.sched_getaffinity(0)))
else:
    print("done")
"""


@pytest.mark.parametrize("what", ["probe_many", "values", "pitch", "find"])
@pytest.mark.parametrize("after", [0.05, 0.4])
def test_signals_stop_the_work_and_their_exceptions_arrive(what, after):
    command = [sys.executable, "-c", INTERRUPTED, what, str(after)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith(("Alarm", "done")), found.stdout
    assert "panicked" not in found.stderr and "PanicException" not in found.stderr
    if found.stdout.startswith("Alarm"):
        # From the signal to the exception, on each core. An unoptimized build takes up to 0.33 s.
        assert float(found.stdout.split()[1]) < 0.4
    else:
        assert after > 0.1, "the work is too quick to be interrupted"


def test_without_numpy_values_raise_an_error_of_the_package():
    code = """
import sys
sys.modules["numpy"] = None
import phutbase
try:
    phutbase.Tablebase().values(5)
except phutbase.PhutbaseError as error:
    print(error)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert found.returncode == 0 and "NumPy" in found.stdout, found.stdout + found.stderr


TOGETHER = """
import itertools, threading, time, phutbase
tables = phutbase.Tablebase()
calls = {
    "Tablebase": phutbase.Tablebase,
    "values": lambda: tables.values(12),
    "pitch": lambda: tables.values("3x3"),
    "probe": lambda: tables.probe("o@o.o.o...."),
    "probe_many": lambda: tables.probe_many(["o@o.o.o....", "obstruction:3x3"]),
    "find": lambda: tables.find(12, limit=5),
    "stats": lambda: tables.stats(12).longest_win_example,
    "error": lambda: refused(lambda: tables.values(60)),
    "wins": lambda: phutbase.wins("3/1@1/3 A"),
    "turns": lambda: phutbase.turns(".@.o.."),
}
def refused(call):
    try:
        call()
    except phutbase.PhutbaseError:
        pass
def repeat(call, end):
    while time.monotonic() < end:
        call()
for pair in itertools.combinations_with_replacement(calls, 2):
    print(*pair, flush=True)
    end = time.monotonic() + 0.05
    threads = [threading.Thread(target=repeat, args=(calls[name], end)) for name in pair * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("done")
"""


def test_every_pair_of_calls_ends_in_four_threads():
    # A single thread in the pool waits for the interpreter's lock sooner than several.
    for pool in ("1", "2"):
        environment = {**os.environ, "RAYON_NUM_THREADS": pool}
        try:
            found = subprocess.run([sys.executable, "-c", TOGETHER], capture_output=True, text=True, timeout=20, env=environment)
        except subprocess.TimeoutExpired as error:
            pytest.fail(f"these calls do not end: {error.stdout.decode().splitlines()[-1]}")
        assert found.returncode == 0 and found.stdout.endswith("done\n"), found.stderr


@pytest.mark.parametrize(
    "call, count",
    [
        ("tables.probe_many(['.@.'] * count)", 4_000_000),
        ("tables.probe_many(['.' * 1_000 + '@' + '.' * 1_000] * count)", 100_000),
        ("tables.find(30, limit=count, seed=1)", 4_000_000),
        ("tables.values(24)", 0),
    ],
)
def test_short_memory_is_an_error_and_the_interpreter_goes_on(call, count):
    code = f"""
import resource, phutbase
tables, count = phutbase.Tablebase(), {count}
tables.values(5), tables.probe_many([".@."])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
for more in (128, 256):
    resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20), resource.RLIM_INFINITY))
    try:
        {call}
    except MemoryError:
        pass
print(tables.probe(".@.").value)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert found.returncode == 0 and found.stdout == "win\n", found.stderr
