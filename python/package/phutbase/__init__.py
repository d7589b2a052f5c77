"""Exact values for Phutball on a strip, small pitches, and Obstruction.

A position of a strip is written with ``.`` for an empty square, ``o`` for a stone and ``@`` for the ball, and after a blank the side to
move, ``L`` (the default) or ``R``. Left wins when a turn ends with the ball on or beyond the last square, Right on or beyond the first.

>>> tables = Tablebase()
>>> answer = tables.probe("o@o.o.o....")
>>> answer.value, answer.depth
('win', 13)

Depths are plies, the single turns of both players: a win takes an odd number, a loss an even one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from . import _phutbase
from .errors import LimitError, MissingTableError, NotationError, PhutbaseError, TableError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "Answer",
    "Counts",
    "LimitError",
    "MissingTableError",
    "Move",
    "NotationError",
    "PhutbaseError",
    "TableError",
    "Tablebase",
    "index",
    "position",
]

Value = Literal["win", "loss", "draw"]


@dataclass(frozen=True)
class Move:
    """A turn, the position after it, and its value for the player who makes it.

    >>> Tablebase().probe(".@o.").moves[0]
    Move(move='@3', position='...@ R', value='win', depth=1)
    """

    move: str
    position: str
    value: Value
    depth: int | None


@dataclass(frozen=True)
class Answer:
    """What is known of a position. Value and depth are seen by the player to move.

    >>> answer = Tablebase().probe("o@o.o.o.... R")
    >>> answer.side, answer.value, answer.winner
    ('right', 'win', 'right')
    """

    game: str
    position: str
    #: The player to move: left or right, alfred or betty; in Obstruction the first.
    side: str
    value: Value
    #: Plies to the end; none in a draw, or where only the winner is known.
    depth: int | None
    winner: str | None
    #: In Obstruction.
    nimber: int | None
    #: Every turn, best first; in Obstruction the winning ones.
    moves: list[Move]
    _core: _phutbase.Core

    def __repr__(self) -> str:
        depth = "" if self.depth is None else f" in {self.depth}"
        return f"<{self.position}: {self.value}{depth} for {self.side}>"

    def line(self) -> list[Move]:
        """Best play to the end of the game; in a draw on a pitch until a position comes back.

        >>> [move.move for move in Tablebase().probe(".@.o..").line()]
        ['o2', 'o0', '@4', 'o3', 'o5', '@2', 'o3', 'o1', '@R']
        """
        return [Move(*turn) for turn in self._core.line(self.position)]


@dataclass(frozen=True)
class Counts:
    """How many positions of a board there are, and who wins them, with Left (on a pitch Alfred) to move."""

    positions: int
    wins: int
    losses: int
    draws: int
    #: Plies, where depths are known.
    longest_win: int | None
    longest_loss: int | None
    _core: _phutbase.Core = field(repr=False, compare=False)
    _boards: str = field(repr=False)

    @property
    def longest_win_example(self) -> str | None:
        """A position with the longest win, searched for in the table.

        >>> Tablebase().counts(9).longest_win_example
        '.@.o..o..'
        """
        return self._core.longest_win(self._boards)


class Tablebase:
    """The tables: those of the directory that is named, else those that the program ``phutbase`` finds, else those in this package.

    >>> Tablebase().probe("obstruction:3x3").nimber
    1
    """

    def __init__(self, tables: str | os.PathLike[str] | None = None) -> None:
        self._core = _phutbase.Core(tables)

    @property
    def lengths(self) -> list[int]:
        """The lengths whose depths are known.

        >>> set(range(3, 37)) <= set(Tablebase().lengths)
        True
        """
        return self._core.contents()[0]

    @property
    def lengths_without_depths(self) -> list[int]:
        """Longer strips, of which only the winners are known.

        >>> 64 in Tablebase().lengths_without_depths
        True
        """
        return self._core.contents()[1]

    @property
    def pitches(self) -> list[str]:
        """The pitches, rows first.

        >>> '7x3' in Tablebase().pitches
        True
        """
        return self._core.contents()[2]

    def probe(self, position: str) -> Answer:
        """The value of a position and of each of its turns.

        A strip is bare, a pitch has rows split by ``/``, a board of Obstruction begins with ``obstruction:``.

        >>> Tablebase().probe("o@o.o.o....")
        <o@o.o.o....: win in 13 for left>
        >>> Tablebase().probe("3/3/2o/1o1/3/@2/3 A").value
        'draw'
        >>> Tablebase().probe("o@x")
        Traceback (most recent call last):
            ...
        phutbase.errors.NotationError: 'x' on square 2 is not a square: write '.' for empty, 'o' for a stone, '@' for the ball
        """
        game, text, side, value, depth, winner, nimber, turns = self._core.probe(position)
        moves = [Move(*turn) for turn in turns]
        return Answer(game, text, side, value, depth, winner, nimber, moves, self._core)

    def values(self, boards: int | str) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.uint8]]:
        """All values of a length, or of a pitch: an array of outcomes (1 win, 0 draw, -1 loss) and one of depths, with Left (Alfred) to move.

        A row is a square of the ball, from square 1 on; a column is a pattern of stones: bit i is the i-th square without the ball's.
        A column and a row make an `index`: ``row * 2 ** (length - 1) + column``. A table answers for every length that it holds; of more than
        40 squares the arrays are a `LimitError`, and so are arrays that do not fit in free memory.

        >>> outcome, depth = Tablebase().values(12)
        >>> outcome.shape, int((outcome == 1).sum()), int(depth.max())
        ((10, 2048), 14352, 19)
        """
        return self._core.values(str(boards))

    def counts(self, boards: int | str) -> Counts:
        """The counts of a length or a pitch, which the table stores: cheap for any length.

        >>> Tablebase().counts(12).wins
        14352
        """
        positions, wins, losses, draws, win, loss = self._core.counts(str(boards))
        return Counts(int(positions), int(wins), int(losses), int(draws), win, loss, self._core, str(boards))


def index(position: str) -> int:
    """The number of a position among all of its board; with Right (Betty) to move, that of its mirror image.

    >>> index(".@..")
    0
    >>> index("..@o R") == index("o@.. L")
    True
    """
    return _phutbase.index(position)


def position(boards: int | str, index: int) -> str:
    """The position with a number; the inverse of `index`.

    >>> position(4, 8)
    '..@.'
    >>> position("3x1", 1)
    '1/@/o A'
    """
    return _phutbase.position(str(boards), index)
