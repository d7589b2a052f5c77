"""Sets of boards of one length, for conjectures.

>>> wins = Boards.won(14)
>>> wins == Boards.won(14, mover="right").some_turn()
True
"""

from __future__ import annotations

import random
from typing import Literal

from ._arguments import notation, within
from ._phutbase import BoardSet
from .errors import NotationError

__all__ = ["Boards"]

Player = Literal["left", "right"]


class Boards:
    """A set of boards of one length: where the ball and the stones are, without a player to move.

    ``|``, ``&`` and ``-`` are union, intersection and difference, ``~`` has the other boards of the
    length, and ``<=`` is true of a subset. Strips of 3 to 255 squares.

    >>> lost = ~Boards.won(12)
    >>> lost, lost & Boards.matching(12, "*@oo*")
    (<6128 boards of 12 squares>, <120 boards of 12 squares>)
    """

    def __init__(self, boards: BoardSet) -> None:
        """Use the class methods."""
        self._boards = boards

    @classmethod
    def won(cls, length: int, mover: Player = "left") -> Boards:
        """Returns the boards that Left wins, with either player to move, by the solution. Right wins
        the others.

        >>> Boards.won(12).count
        14352
        """
        with notation():
            return cls(BoardSet.won(within("the length", length, 2**16 - 1), mover))

    @classmethod
    def matching(cls, length: int, pattern: str = "*") -> Boards:
        """Returns the boards that fit a pattern, in the notation of `Tablebase.find`; without one, all.

        >>> Boards.matching(5, "*@o*").count
        24
        """
        with notation():
            return cls(BoardSet.matching(within("the length", length, 2**16 - 1), pattern))

    @property
    def length(self) -> int:
        """The number of squares."""
        return self._boards.length

    @property
    def count(self) -> int:
        """The number of boards."""
        return int(self._boards.count())

    def examples(self, limit: int = 10, *, seed: int | None = None, mover: Player = "left") -> list[str]:
        """Returns the first `limit` boards in the order of notation, or with a seed distinct random ones.

        >>> Boards.matching(6, "o@*").examples(2)
        ['o@....', 'o@...o']
        """
        total = self.count
        listed = min(within("limit", limit, 2**32 - 1), total)
        if seed is None:
            indices = list(range(listed))
        else:
            indices = _sample(total, listed, seed)
        with notation():
            return self._boards.members([str(index) for index in indices], mover)

    def mirror(self) -> Boards:
        """Returns the mirror images.

        >>> Boards.won(14, mover="right") == ~Boards.won(14).mirror()
        True
        """
        return Boards(self._boards.mirror())

    def some_turn(self, winner: Player = "left") -> Boards:
        """Returns the boards from which some turn leads into this set or wins at once for a player. Both
        players have the same turns.

        >>> Boards.matching(6, "..@...").some_turn().examples(3)
        ['....@o', '...o@.', '...o@o']
        """
        return self._before(False, winner)

    def every_turn(self, winner: Player = "left") -> Boards:
        """Returns the boards from which every turn leads into this set or wins at once for a player.

        >>> Boards.won(14).every_turn() == Boards.won(14, mover="right")
        True
        """
        return self._before(True, winner)

    def _before(self, every: bool, winner: Player) -> Boards:
        if winner == "left":
            return Boards(self._boards.turns_into(every))
        if winner == "right":
            return Boards(self._boards.mirror().turns_into(every).mirror())
        raise NotationError(f"'{winner}' is not one of left, right")

    def __contains__(self, position: str) -> bool:
        with notation():
            return self._boards.contains(position)

    def __bool__(self) -> bool:
        return self.count > 0

    def __or__(self, other: Boards) -> Boards:
        return self._join(other, "or")

    def __and__(self, other: Boards) -> Boards:
        return self._join(other, "and")

    def __sub__(self, other: Boards) -> Boards:
        return self._join(other, "minus")

    def __invert__(self) -> Boards:
        return Boards.matching(self.length) - self

    def _join(self, other: Boards, how: str) -> Boards:
        if not isinstance(other, Boards):
            return NotImplemented
        return Boards(self._boards.join(other._boards, how))

    def __le__(self, other: Boards) -> bool:
        return not self - other

    def __ge__(self, other: Boards) -> bool:
        return not other - self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Boards):
            return NotImplemented
        return self._boards.equals(other._boards)

    def __hash__(self) -> int:
        return hash((self.length, self.count))

    def __repr__(self) -> str:
        boards = "board" if self.count == 1 else "boards"
        return f"<{self.count} {boards} of {self.length} squares>"


def _sample(total: int, listed: int, seed: int) -> list[int]:
    """Returns distinct random numbers below `total`, of which every set is equally likely (Bentley and
    Floyd 1987)."""
    numbers = random.Random(within("seed", seed, 2**64 - 1))
    chosen: dict[int, None] = {}
    for last in range(total - listed, total):
        number = numbers.randrange(last + 1)
        chosen[last if number in chosen else number] = None
    return list(chosen)
