"""Compares `phutbase.solution` with another reader of the solution, and sets of boards with boards."""

import itertools
import random

import phutbase
import pytest
from phutbase import Boards, solution

TABLES = phutbase.Tablebase()

# Word, canonical word, potential and type, by a reader of the automaton in Python, which is another
# form of the rule; there is a word of every type that it met on up to 15 squares.
WORDS = [
    (".", ".", 1, "a"),
    ("o", "", 0, "b"),
    ("....", "....", 2, "b"),
    ("..oo.", ".", 1, "a"),
    (".....oo..", "....", 2, "b"),
    ("........oo..oo..o", "........o..o", 2, "a"),
    ("." * 30, "." * 30, 8, "a"),
    ("..o..o...o..", "..", 1, "a"),
    ("............o...", ".............", 4, "a"),
    ("o............o..oo..", "............o..", 4, "b"),
    ("...o.o.o.o.....o...o....o.....", ".........", 3, "a"),
    ("..........o...o....oo...o....o..o...o..o.oo.o", "............o.oo.o", 2, "b"),
    ("...", "...", 2, "y"),
    ("....oooo.", "....oooo.", 2, "z"),
    ("........o.oo", "........o.oo", 1, "c"),
    ("........oo.o", "........oo.o", 1, "d"),
]

# By the same reader: squares, classes, and words of the class of the empty word.
CLASSES = [(3, 5, 3), (10, 23, 333), (20, 134, 318243), (40, 869, 326935358803), (60, 2829, 341980555186644932)]

# Numbers of wins with Left to move; the first ones by another program (tests/data/strip_counts.tsv).
WINS = {3: 3, 4: 12, 5: 35, 6: 92, 12: 14352, 16: 318796}


def words(length):
    return map("".join, itertools.product(".o", repeat=length))


@pytest.mark.parametrize("word, canonical, potential, kind", WORDS)
def test_words(word, canonical, potential, kind):
    assert solution.canonical(word) == canonical == solution.canonical(canonical)
    assert (solution.potential(word), solution.kind(word)) == (potential, kind)
    assert solution.name(word) == solution.name(canonical)


@pytest.mark.parametrize("length, count, closed", CLASSES)
def test_classes(length, count, closed):
    classes = solution.classes(length)
    assert len(classes) == count and classes[""] == closed and sum(classes.values()) == 2**length
    assert list(classes) == sorted(classes, key=lambda word: (len(word), word))
    if length <= 10:
        counted = {}
        for word in words(length):
            counted[solution.canonical(word)] = counted.get(solution.canonical(word), 0) + 1
        assert counted == classes


def test_winners_of_all_boards_of_up_to_12_squares():
    for length in range(3, 13):
        boards = [(left, right) for ball in range(1, length - 1) for left in words(ball) for right in words(length - 1 - ball)]
        for mover, letter in (("left", "L"), ("right", "R")):
            texts = [f"{left}@{right[::-1]} {letter}" for left, right in boards]
            outcomes = TABLES.probe_many(texts)[0]
            for (left, right), outcome in zip(boards, outcomes.tolist(), strict=True):
                assert (solution.winner(left, right, mover) == mover) == (outcome == 1), (left, right, mover)


def test_wins_are_counted_by_classes():
    for length in (*range(3, 25), 30):
        wins = 0
        by_length = [solution.classes(squares) for squares in range(length - 1)]
        for ball in range(1, length - 1):
            for left, many in by_length[ball].items():
                wins += many * sum(
                    more
                    for right, more in by_length[length - 1 - ball].items()
                    if solution.winner(left, right) == "left"
                )
        assert wins == WINS.get(length, wins) == TABLES.stats(length).wins == Boards.won(length).count


@pytest.mark.parametrize(
    "ask, words",
    [
        (lambda: solution.name("o@"), "'@' at place 1 of 'o@' is not a square of a word"),
        (lambda: solution.potential(3), "'int' object"),
        (lambda: solution.canonical("\ud800"), "no valid character"),
        (lambda: solution.winner(".", ".", mover="up"), "'up' is not one of left, right"),
        (lambda: solution.classes(-1), "the length -1 is out of range"),
        (lambda: Boards.won(2), "3 to 255"),
        (lambda: Boards.won(256), "3 to 255"),
        (lambda: Boards.won(-1), "out of range"),
        (lambda: Boards.won(9, mover="up"), "'up'"),
        (lambda: Boards.matching(9, "x*"), "'x' at position 0"),
        (lambda: Boards.matching(9) | Boards.matching(8), "of 9 and of 8 squares"),
        (lambda: Boards.matching(9).some_turn("up"), "'up' is not one of left, right"),
        (lambda: Boards.matching(9).examples(-1), "limit -1"),
        (lambda: Boards.matching(9).examples(seed=-1), "seed -1"),
        (lambda: "3/1@1/3" in Boards.matching(9), "of strips"),
        (lambda: Boards.won(9, mover="up", tables=TABLES), "'up'"),
        (lambda: Boards.by_halves(2, max), "3 to 255"),
        (lambda: Boards.by_halves(-1, max), "out of range"),
    ],
)
def test_arguments_that_are_refused(ask, words):
    with pytest.raises(phutbase.NotationError, match=words):
        ask()


def test_sets_that_no_table_or_memory_has():
    with pytest.raises(phutbase.MissingTableError, match="255"):
        Boards.won(255, tables=TABLES)
    with pytest.raises(phutbase.LimitError, match="1048576 values of halves of 21 squares"):
        Boards.by_halves(40, lambda left, right: True)


def test_words_with_too_many_classes():
    with pytest.raises(phutbase.LimitError, match="at most 253"):
        solution.classes(254)


LENGTH = 7


def members(boards):
    found = boards.examples(2**32 - 1)
    assert len(found) == len(set(found)) == boards.count == len([text for text in EVERY if text in boards])
    return set(found)


EVERY = set(Boards.matching(LENGTH).examples(10**6))


def is_forward(move, board, winner):
    """Returns whether a turn touches only squares between the ball and the end where `winner` wins."""
    right = move[1:] == "R" or move[1:] != "L" and int(move[1:]) > board.index("@")
    return right == (winner == "left")


def successors(board, is_taken=lambda move: True):
    """Returns the boards after each turn, and the winner where the turn ends the game."""
    for move in filter(lambda turn: is_taken(turn.move), phutbase.turns(board)):
        squares = move.position.split()[0]
        if move.move == "@L" or squares.startswith("@"):
            yield "right"
        elif move.move == "@R" or squares.endswith("@"):
            yield "left"
        else:
            yield squares


def test_the_boards_of_a_length():
    assert EVERY == {f"{left}@{right}" for ball in range(1, LENGTH - 1) for left in words(ball) for right in words(LENGTH - 1 - ball)}
    assert set(Boards.matching(LENGTH, "*o@?.*").examples(1000)) == {
        board for board in EVERY if "o@.." in board or "o@o." in board
    }


def test_set_operations():
    one, other = Boards.won(LENGTH), Boards.matching(LENGTH, "*o@*")
    a, b = members(one), members(other)
    assert members(one | other) == a | b and members(one & other) == a & b
    assert members(one - other) == a - b and members(~one) == EVERY - a
    assert members(one.mirror()) == {text[::-1] for text in a}
    assert (one <= one | other) and (one & other <= one) and not one <= other and one >= one
    assert one == (one - other) | (one & other) and one != other and hash(one) == hash(Boards.won(LENGTH))
    assert not one - one and bool(one) and one != 7 and Boards.won(8) != one
    assert (one - one).examples() == [] and repr(one) == f"<{len(a)} boards of 7 squares>"
    assert "o@." not in one
    with pytest.raises(TypeError):
        one | a


def test_boards_that_are_won():
    for mover, letter in (("left", "L"), ("right", "R")):
        boards = Boards.won(LENGTH, mover)
        won = {text for text in EVERY if TABLES.probe(f"{text} {letter}").winner == "left"}
        assert members(boards) == won
        texts = boards.examples(5, seed=1, mover=mover)
        assert len(set(texts)) == 5 and texts == boards.examples(5, seed=1, mover=mover) != boards.examples(5, seed=2, mover=mover)
        assert all(TABLES.probe(text).winner == "left" and text.endswith(" R") == (mover == "right") for text in texts)
        assert set(boards.examples(10**6, seed=1, mover=mover)) == set(boards.examples(10**6, mover=mover))


@pytest.mark.parametrize("winner", ["left", "right"])
def test_turns_that_lead_into_a_set(winner):
    sample = random.Random(1)
    for boards in (Boards.won(LENGTH), Boards.won(LENGTH, "right"), Boards.matching(LENGTH, "*.@o*"), ~Boards.matching(LENGTH)):
        into = members(boards) | {winner}
        for forward in (False, True):
            some, every = (members(ask(winner, forward=forward)) for ask in (boards.some_turn, boards.every_turn))
            for board in sample.sample(sorted(EVERY), 150):
                led = [after in into for after in successors(board, lambda move: not forward or is_forward(move, board, winner))]
                assert (board in some, board in every) == (any(led), all(led)), board


def test_boards_that_a_table_says_are_won():
    for length in (LENGTH, 36, 40, 64):
        for mover in ("left", "right"):
            assert Boards.won(length, mover, tables=TABLES) == Boards.won(length, mover)


def test_boards_by_their_halves():
    def more_at_the_goal(left, right):
        return left[:2].count("o") > right.count("o")

    expected = {text for text in EVERY if more_at_the_goal(text[: text.index("@")], text[: text.index("@") : -1])}
    assert 0 < len(expected) < len(EVERY) and members(Boards.by_halves(LENGTH, more_at_the_goal)) == expected
    # With few values: the numbers of stones.
    boards = Boards.by_halves(LENGTH, lambda left, right: left < right, start=0, step=lambda stones, square: stones + (square == "o"))
    assert members(boards) == {text for text in EVERY if text.split("@")[0].count("o") < text.split("@")[1].count("o")}
    for length in (3, 4, 12):
        assert Boards.by_halves(length, lambda left, right: solution.winner(left, right, mover="right") == "left") == Boards.won(length, "right")


def test_the_sets_of_the_solution():
    for length in (14, 30):
        mine, theirs = Boards.won(length), Boards.won(length, "right")
        assert theirs.some_turn() == mine and mine.every_turn() == theirs == ~mine.mirror()
        assert mine <= mine.some_turn() != mine
