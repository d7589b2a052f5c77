"""The package against the pinned numbers of tests/data, which other programs found, and against plain enumeration."""

import pathlib
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
    counts = TABLES.counts(length)
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
                assert bool(answer.moves) == bool(nimber)


def test_an_index_is_a_place_in_the_arrays():
    outcome, depth = TABLES.values(7)
    for number in range(outcome.size):
        text = phutbase.position(7, number)
        assert phutbase.index(text) == number
        answer = TABLES.probe(text)
        assert {"win": 1, "draw": 0, "loss": -1}[answer.value] == outcome.flat[number]
        assert answer.depth == depth.flat[number]
        # Bit i of the column is the i-th square without the ball's.
        ball, pattern = divmod(number, 2**6)
        squares = ["o" if pattern >> bit & 1 else "." for bit in range(6)]
        squares.insert(ball + 1, "@")
        assert text == "".join(squares)
    for number in range(0, 3 * 3 * 2**8 // 3, 17):
        assert phutbase.index(phutbase.position("3x3", number)) == number


def test_moves_and_lines_fit_together():
    for text in ("o@o.o.o....", ".@.o..o.. R", "3/1o1/1@1/3 A", "3/1o1/1@1/3 B"):
        answer = TABLES.probe(text)
        assert (answer.moves[0].value, answer.moves[0].depth) == (answer.value, answer.depth)
        line = answer.line()
        assert line[0] == answer.moves[0] and len(line) == answer.depth
        for ply, move in enumerate(line[:-1], start=1):
            following = TABLES.probe(move.position)
            assert following.depth == answer.depth - ply
            assert following.side != answer.side if ply % 2 else following.side == answer.side


def test_who_wins_on_long_strips():
    answer = TABLES.probe("o@o.o.o...." + "." * 53)
    assert answer.value in ("win", "loss") and answer.depth is None
    assert TABLES.lengths == list(range(3, 37)) and 64 in TABLES.lengths_without_depths
    counts = TABLES.counts(64)
    assert counts.positions == 62 * 2**63 and counts.longest_win is counts.longest_win_example is None
    with pytest.raises(phutbase.MissingTableError, match="length 40"):
        TABLES.values(40)


def test_arrays_that_do_not_fit_are_refused_before_they_are_made():
    for length in (41, 60, 128):
        with pytest.raises(phutbase.LimitError, match="at most 40"):
            TABLES.values(length)
    # Two terabytes.
    with pytest.raises(phutbase.LimitError, match="free"):
        TABLES.values(36)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty working directory, where only the embedded tables are found."""
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
        longest = tables.counts(length).longest_win_example
        assert depth.flat[phutbase.index(longest)] == tables.counts(length).longest_win
        assert (depth[outcome == 1]).max() == tables.counts(length).longest_win
    with pytest.raises(phutbase.MissingTableError, match="length 65"):
        tables.counts(65)


@pytest.mark.parametrize(
    "ask, error, word",
    [
        (lambda: TABLES.probe("o@x"), phutbase.NotationError, "is not a square"),
        (lambda: TABLES.probe("oddish:..o^o."), phutbase.NotationError, "Oddish"),
        (lambda: TABLES.values("3..5"), phutbase.NotationError, "one length"),
        (lambda: TABLES.values(2), phutbase.NotationError, "3 to 128"),
        (lambda: TABLES.probe("5/5/2@2/5/5/5"), phutbase.MissingTableError, "pitch 6x5"),
        (lambda: TABLES.probe("obstruction:3x3").line(), phutbase.NotationError, "no line"),
        (lambda: phutbase.position(4, 16), phutbase.NotationError, "none has the index 16"),
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
    # A call that kept the interpreter's lock would let nobody count until it is over.
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
