#!/usr/bin/env python3
"""Checks tables of strips against the rules, with BDDs from a general library.

    check_with_cudd.py strip-20-dtw.phut strip-32-wdl.phut …

It shares no code with phutbase. read_table.py reads the file (docs/FORMAT.md); each set becomes a
BDD per ball square over the other squares; the rules are implemented below. For the longest strips
it checks:

dtw   For every d, root d is the union of root d-2 and the boards from which some turn of Left
      (odd d), or every turn of Right (even d), leads into root d-1 or wins for Left. One more ply
      adds nothing. This proves every value.
wdl   The boards that Left wins satisfy the two equations of docs/PROOF.md: every turn of Right leads
      into them or wins for Left, and Left has a proper turn that wins or leads into them. This
      proves every win and loss. No other board has a turn into them (for Right: every turn), which
      proves every draw.

It also checks the counts of every length. The values of shorter strips follow by Lemma 1 of
docs/PROOF.md.

Prints one line per table, or one object with --json; for a fault, the position and what is wrong.
Exit codes: 0; 1 if a check failed or a table is damaged; 2 for bad usage or without 'dd'.

Needs Python 3.11 and the package 'dd'. Its wheels for Linux include the bindings to CUDD:

    python3 -m venv venv && venv/bin/pip install dd
    venv/bin/python scripts/check_with_cudd.py TABLE…

Without the bindings, or with --pure, dd's BDDs in Python are used; the output names the library.
"""

import argparse
import json
import os
import sys
import time

from read_table import Table, TableError

RIGHTWARD, LEFTWARD = 1, -1


class Fault(Exception):
    """A failed check: what is wrong, and a position that shows it, or None."""

    def __init__(self, what, position=None):
        super().__init__(what if position is None else "'%s': %s" % (position, what))
        self.what, self.position = what, position


def manager(pure):
    """Returns a BDD manager and the name of its library, or raises ImportError."""
    if not pure:
        try:
            from dd import cudd

            bdd = cudd.BDD()
            bdd.configure(reordering=False)
            return bdd, "dd.cudd"
        except ImportError:
            pass
    from dd import autoref

    bdd = autoref.BDD()
    bdd.configure(reordering=False)
    return bdd, "dd.autoref"


# --- Sets of boards -------------------------------------------------------------------------------
#
# A set is a dict from ball square to a BDD over the other squares: variable i is true if square i
# has a stone.


class Boards:
    """Sets of the boards of one length, and the rules of the game."""

    def __init__(self, bdd, length):
        self.bdd, self.length = bdd, length
        self.squares = range(length)
        self.balls = range(1, length - 1)
        bdd.declare(*map(self.name, self.squares))
        self.stone = [bdd.var(self.name(square)) for square in self.squares]
        self.none = {ball: bdd.false for ball in self.balls}
        self._counts = {}

    @staticmethod
    def name(square):
        return "x%d" % square

    def union(self, *sets):
        union = self.none
        for other in sets:
            union = {ball: union[ball] | other[ball] for ball in self.balls}
        return union

    def complement(self, a):
        return {ball: ~a[ball] for ball in self.balls}

    def difference(self, a, b):
        return {ball: a[ball] & ~b[ball] for ball in self.balls}

    def common(self, a, b):
        return {ball: a[ball] & b[ball] for ball in self.balls}

    def made_so(self, boards, squares, has_stone):
        """Returns the boards that are in a BDD after placing or removing stones on some squares."""
        return self.bdd.let({self.name(square): has_stone for square in squares}, boards)

    # The rules. Each function returns the boards with *some* turn of its kind into a set. If `home`
    # is true, turns that bring the ball to the goal in their direction count too: on or beyond the
    # last square, or on or beyond square 0. Both players have the same turns.

    def placing_into(self, into, where=lambda square, ball: square != ball):
        """Placing a stone on an empty square for which `where` is true."""
        result = {}
        for ball in self.balls:
            result[ball] = self.bdd.false
            for square in reversed(self.squares):
                if where(square, ball):
                    result[ball] |= ~self.stone[square] & self.made_so(into[ball], [square], True)
        return result

    def jumping_into(self, direction, into, home, least=2):
        """Jump turns. The ball hops over a whole run of stones to the first empty square or off the
        strip; the run is removed. There the turn ends, or the ball hops on in the same direction.
        Turns of fewer than `least` squares do not count unless they reach the goal."""
        result, any_length = {}, {}
        for ball in self.balls[::-direction]:  # landings before the squares that jump to them
            result[ball] = any_length[ball] = self.bdd.false
            run = self.bdd.true  # every square between ball and square has a stone
            square = ball + direction
            while True:
                beyond = square not in self.squares
                if square != ball + direction:  # a hop crosses at least one stone
                    lands = run if beyond else run & ~self.stone[square]
                    if square not in self.balls:
                        after = long_after = self.bdd.true if home else self.bdd.false
                    else:
                        emptied = range(ball, square, direction)
                        after = self.made_so(into[square] | any_length[square], emptied, False)
                        is_short = abs(square - ball) < least
                        long_after = self.made_so(any_length[square], emptied, False) if is_short else after
                    any_length[ball] |= lands & after
                    result[ball] |= lands & long_after
                if beyond:
                    break
                run &= self.stone[square]
                square += direction
        return result

    def some_turn(self, into, left_home, right_home):
        """Returns the boards with some turn into a set, or to a goal that counts."""
        ways = [(RIGHTWARD, left_home), (LEFTWARD, right_home)]
        jumps = [self.jumping_into(way, into, home) for way, home in ways]
        return self.union(self.placing_into(into), *jumps)

    def proper_turn_of_left(self, won):
        """Returns the boards with a proper turn into a set, or winning for Left: a stone to the right
        of the ball, or a jump turn of at least three squares or home."""
        return self.union(
            self.placing_into(won, lambda square, ball: square > ball),
            self.jumping_into(RIGHTWARD, won, home=True, least=3),
            self.jumping_into(LEFTWARD, won, home=False, least=3),
        )

    def some_turn_of_left(self, won):
        """Returns the boards from which some turn leads into a set or wins for Left."""
        return self.some_turn(won, left_home=True, right_home=False)

    def every_turn_of_right(self, won):
        """Returns the boards from which every turn leads into a set or wins for Left."""
        return self.complement(self.some_turn(self.complement(won), left_home=False, right_home=True))

    # Members and counts.

    def first(self, boards):
        """Returns the first board in the order '.', 'o', '@' from the left, or None."""
        boards = {ball: each for ball, each in boards.items() if each != self.bdd.false}
        if not boards:
            return None
        text = ""
        for square in self.squares:
            for mark in ".o@":
                marked = self._marked(boards, square, mark)
                if marked:
                    break
            text, boards = text + mark, marked
        return text

    def _marked(self, boards, square, mark):
        """Returns the boards of a set with a given mark on a square, omitting empty BDDs."""
        if mark == "@":
            return {ball: each for ball, each in boards.items() if ball == square}
        marked = {ball: self.made_so(each, [square], mark == "o") for ball, each in boards.items() if ball != square}
        return {ball: each for ball, each in marked.items() if each != self.bdd.false}

    def count(self, boards):
        """Returns the exact number of boards in a set. (dd.cudd counts in floating point.)"""
        # A BDD does not depend on the ball's square, which halves the count.
        return sum(self._count(each, 0) // 2 for each in boards.values())

    def _count(self, boards, level):
        """Returns the number of ways to fill the squares from `level` on."""
        if boards == self.bdd.true or boards == self.bdd.false:
            return (boards == self.bdd.true) << (self.length - level)
        square = self.bdd.level_of_var(boards.var)
        known = self._counts.get(int(boards))
        if known is None:
            ways = sum(self._count(self.made_so(boards, [square], has), square + 1) for has in (False, True))
            known = self._counts[int(boards)] = boards, ways  # a reference keeps its int
        return known[1] << (square - level)

    def forget_counts(self):
        """Releases the BDDs kept by `count`."""
        self._counts.clear()

    def shorter(self, boards, length):
        """Returns the boards with a stone on square `length`, as boards of that length."""
        return {
            ball: self.made_so(each, [length], True) if ball < length - 1 else self.bdd.false
            for ball, each in boards.items()
        }

    def require_none(self, boards, side, what):
        """Raises Fault if the set is not empty."""
        board = self.first(boards)
        if board is not None:
            raise Fault(what, "%s %s" % (board, side))


class Translation:
    """The sets of a table as BDDs."""

    def __init__(self, nodes, boards):
        self.nodes, self.boards = nodes, boards
        self.bdd = boards.bdd
        self.before, self.after = {}, {0: self.bdd.false, 1: self.bdd.true}

    def set(self, root):
        return {ball: self._before(root, 0, ball) for ball in self.boards.balls}

    def _before(self, node, square, ball):
        """Returns the boards below a ternary node that have the ball on a given square."""
        if node == 0:
            return self.bdd.false
        if (node, ball) not in self.before:
            empty, stone, has_ball = self.nodes.ternary_node(node)
            if square == ball:
                result = self._after(has_ball)
            else:
                empty, stone = (self._before(child, square + 1, ball) for child in (empty, stone))
                result = self.bdd.ite(self.boards.stone[square], stone, empty)
            self.before[node, ball] = result
        return self.before[node, ball]

    def _after(self, node):
        if node not in self.after:
            square, empty, stone = self.nodes.binary_node(node)
            empty, stone = self._after(empty), self._after(stone)
            self.after[node] = self.bdd.ite(self.boards.stone[square], stone, empty)
        return self.after[node]


# --- Checks ---------------------------------------------------------------------------------------


def check(table, bdd, progress):
    """Proves every value of a table, or raises Fault."""
    boards = Boards(bdd, table.length)
    translation = Translation(table.nodes, boards)
    sets = [translation.set(root) for root in table.roots]
    if table.header["metric"] == "dtw":
        check_depths(boards, sets, progress)
    else:
        check_winners(boards, *sets[-2:], progress)
    check_counts(table, boards, sets, progress)


def check_depths(boards, sets, progress):
    """Checks every set against the one before, and that one more ply adds nothing."""
    older = last = boards.none  # the boards won in at most d - 2 and d - 1 plies
    for depth in range(1, len(sets) + 2):
        progress("ply %d of %d" % (depth, len(sets)))
        odd, side = depth % 2, "RL"[depth % 2]
        turns = boards.some_turn_of_left(last) if odd else boards.every_turn_of_right(last)
        follows = boards.union(older, turns)
        stored = older if depth > len(sets) else sets[depth - 1]
        what = "a win of Left in at most %d plies" % depth
        boards.require_none(boards.difference(stored, follows), side, "stored as %s, which does not follow" % what)
        boards.require_none(boards.difference(follows, stored), side, "%s, but not stored as one" % what)
        older, last = last, stored


def check_winners(boards, a, r, progress):
    """Checks the boards that Left wins, `a` with Left and `r` with Right to move."""
    missing, wrong = "a win of Left, but not stored as one", "stored as a win of Left, which does not follow"
    progress("Right to move")
    follows = boards.every_turn_of_right(a)
    boards.require_none(boards.difference(r, follows), "R", wrong)
    boards.require_none(boards.difference(follows, r), "R", missing)
    progress("Left to move")
    boards.require_none(boards.difference(boards.some_turn_of_left(r), a), "L", missing)
    boards.require_none(boards.difference(a, boards.proper_turn_of_left(r)), "L", wrong)


def check_counts(table, boards, sets, progress):
    """Counts the sets of every length, longest first. Left's losses with Left to move are as many
    as Right's with Right to move."""
    for stored in reversed(table.counts):
        length = stored["length"]
        progress("counts of %d squares" % length)
        if length < table.length:
            sets = [boards.shorter(each, length) for each in sets]
        # The BDDs of a shorter strip do not depend on the squares beyond it.
        members = [boards.count(each) >> table.length - length for each in sets]
        boards.forget_counts()
        left, right = members[::2], members[1::2]
        counted = {"longest_win": 0, "longest_loss": 0, "levels": 0}
        for name, of_player in (("wins", left), ("losses", right)):
            counted[name] = of_player[-1] if of_player else 0
        if table.header["metric"] == "dtw":
            for name, of_player, first in (("longest_win", left, 1), ("longest_loss", right, 2)):
                if of_player and of_player[-1]:
                    counted[name] = first + 2 * of_player.index(of_player[-1])
        elif table.header["metric"] == "levels":
            levels = list(zip(left, right))
            counted["levels"] = levels.index(levels[-1]) + 1
        for name, number in counted.items():
            if stored[name] != number:
                told = (length, name, stored[name], number)
                raise Fault("%d squares: the metadata has %s = %r, the sets have %r" % told)


# --- The command ----------------------------------------------------------------------------------


class Progress:
    """Status line on standard error, shown after 10 s."""

    def __init__(self, path):
        self.name, self.next, self.shown = os.path.basename(path), time.monotonic() + 10, False

    def __call__(self, what):
        if sys.stderr.isatty() and time.monotonic() >= self.next:
            print("\r\033[K%s: %s, %d MiB" % (self.name, what, peak_mebibytes()), end="", file=sys.stderr, flush=True)
            self.next, self.shown = time.monotonic() + 1, True

    def done(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def peak_mebibytes():
    """Returns the peak memory of the process in MiB, or 0 if unknown."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> (20 if sys.platform == "darwin" else 10)


def report(path, pure):
    """Checks one table and returns the JSON object for it."""
    bdd, library = manager(pure)
    result = {"table": path, "library": library}
    started, progress = time.process_time(), Progress(path)
    try:
        table = Table(path)
        result.update(length=table.length, metric=table.header["metric"], roots=len(table.roots))
        check(table, bdd, progress)
        result.update(ok=True)
    except Fault as fault:
        result.update(ok=False, fault=fault.what, position=fault.position)
    except TableError as error:
        result.update(ok=False, fault=str(error), position=None)
    progress.done()
    result.update(seconds=round(time.process_time() - started, 2), peak_mebibytes=peak_mebibytes())
    return result


def in_words(result):
    if result["ok"]:
        cost = "%.1f s of processor time, %d MiB, %s" % (result["seconds"], result["peak_mebibytes"], result["library"])
        return "%s: good: every value proved (%d roots; %s)" % (result["table"], result["roots"], cost)
    position = "" if result["position"] is None else "'%s' " % result["position"]
    return "%s: WRONG: %s%s" % (result["table"], position, result["fault"])


def main():
    parser = argparse.ArgumentParser(description="Check tables of strips against the rules, with BDDs from the package dd.")
    parser.add_argument("tables", metavar="TABLE", nargs="+", help="file strip-N-dtw.phut or strip-N-wdl.phut")
    parser.add_argument("--json", action="store_true", help="print one JSON object per table")
    parser.add_argument("--pure", action="store_true", help="use dd's BDDs in Python instead of CUDD (slower)")
    arguments = parser.parse_args()
    all_good = True
    for path in arguments.tables:
        try:
            result = report(path, arguments.pure)
        except ImportError:
            print("the package 'dd' is missing: pip install dd", file=sys.stderr)
            return 2
        all_good &= result["ok"]
        print(json.dumps(result) if arguments.json else in_words(result), flush=True)
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
