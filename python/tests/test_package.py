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
        with pytest.raises(phutbase.MissingTableError, match="phutbase"):
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
    assert 64 not in TABLES.lengths and 64 in TABLES.lengths_without_depths
    assert TABLES.counts(64).positions == 62 * 2**63
    with pytest.raises(phutbase.MissingTableError, match="phutbase generate 64"):
        TABLES.values(64)


@pytest.mark.parametrize(
    "ask, error, word",
    [
        (lambda: TABLES.probe("o@x"), phutbase.NotationError, "is not a square"),
        (lambda: TABLES.probe("oddish:..o^o."), phutbase.NotationError, "Oddish"),
        (lambda: TABLES.values("3..5"), phutbase.NotationError, "one length"),
        (lambda: TABLES.values(2), phutbase.NotationError, "3 to 128"),
        (lambda: TABLES.probe("@".center(127, ".")), phutbase.MissingTableError, "phutbase generate 127"),
        (lambda: TABLES.probe("obstruction:3x3").line(), phutbase.NotationError, "no line"),
        (lambda: phutbase.position(4, 16), phutbase.NotationError, "none has the index 16"),
        (lambda: phutbase.index("obstruction:3x3"), phutbase.NotationError, "no index"),
    ],
)
def test_errors_are_of_one_family(ask, error, word):
    with pytest.raises(error, match=word) as caught:
        ask()
    assert isinstance(caught.value, phutbase.PhutbaseError)


def test_a_damaged_table_is_an_error(tmp_path):
    (tmp_path / "strip-12-dtw.phut").write_bytes(b"nothing")
    with pytest.raises(phutbase.TableError, match="strip-12-dtw.phut"):
        phutbase.Tablebase(tmp_path).values(12)


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
