#!/usr/bin/env python3
"""Checks what a diagram table says, from the rules alone, with the decision diagrams of a general library.

    check_with_cudd.py strip-20-dtw.phut strip-32-wdl.phut …

It shares nothing with phutbase: read_table.py reads the file (docs/FORMAT.md), every set in it becomes one BDD for each ball square
over the other squares, and the turns are made from the rules of the game as they stand below. What is checked:

dtw               root d is root d-2 and the boards from which some turn of Left (odd d), or every turn of Right (even d), leads into
                  root d-1 or wins for Left at once, for every d; one ply past the last adds nothing; the counts, the
                  longest win and loss and their example, the number of positions of every depth. This proves every value.
wdl               the two equations of forward play for every level (docs/PROOF.md), which prove every win and loss; the counts; and,
                  if not every position is won or lost, that the last level is closed under all turns, so that the rest is drawn.

Prints one line for each table, or with --json one object; for a fault the position, in notation, and what is wrong with it.
Exit codes: 0; 1 if a check failed or a table is damaged or of the dense layout; 2 for bad usage or without 'dd'.

Needs Python 3.11 and the package 'dd', best with its binding to CUDD, which the wheels for Linux have:

    python3 -m venv venv && venv/bin/pip install dd && venv/bin/python scripts/check_with_cudd.py TABLE…

Without the binding dd's own BDDs in Python are used, as with --pure; the output says which.

Last results, tables of phutbase 0.1.0, all good; processor time and peak memory of one process for each table on a busy machine
(twice that by the clock), Python 3.11, dd 0.6.0:

    phutbase generate N --engine symbolic [--metric wdl] --tables DIR
    check_with_cudd.py DIR/strip-N-METRIC.phut

    table              roots   dd.cudd               --pure
    dtw 16                26     0.1 s     52 MiB    0.9 s    94 MiB
    dtw 20                34     0.6 s     67 MiB    4.2 s   293 MiB
    dtw 24                39     2.9 s    141 MiB
    dtw 28                46    12.2 s    310 MiB
    dtw 32                52    51.5 s   1024 MiB
    wdl 32                 4     1.1 s     81 MiB
    wdl 40                 4     4.8 s    143 MiB
    wdl 48                 6    24.1 s    383 MiB
    wdl 64                 6   142.9 s   1373 MiB
"""

import argparse
import json
import os
import sys
import time

from read_table import Diagrams, Table, TableError

RIGHTWARD, LEFTWARD = 1, -1


class Fault(Exception):
    """What is wrong, and a position that shows it, if one does."""

    def __init__(self, what, position=None):
        super().__init__(what if position is None else "'%s': %s" % (position, what))
        self.what, self.position = what, position


def manager(pure):
    """A library of BDDs and its name; ImportError if there is none."""
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


# --- Sets of boards ----------------------------------------------------------------------------------------
#
# A set is a dict from ball square to a BDD over the stones of the other squares: variable i is true if square i has a stone.


class Boards:
    """Sets of the boards of one length, and the rules of the game: in the directional one Left jumps to the right only, Right to the left."""

    def __init__(self, bdd, length, directional):
        self.bdd, self.length, self.directional = bdd, length, directional
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
        """The boards that are in a BDD after some squares have been given stones, or emptied."""
        return self.bdd.let({self.name(square): has_stone for square in squares}, boards)

    # The rules. Each function gives the boards from which there is *some* such turn into a set. `home` says whether a turn that
    # carries the ball home in its direction counts as well: to the right on or beyond the last square, where Left wins, to
    # the left on or beyond square 0, where Right does. It does not matter who moves.

    def placing_into(self, into, where=lambda square, ball: square != ball):
        """A stone is placed on an empty square; the ball stays. `where` may narrow the choice of squares."""
        result = {}
        for ball in self.balls:
            result[ball] = self.bdd.false
            for square in reversed(self.squares):
                if where(square, ball):
                    result[ball] |= ~self.stone[square] & self.made_so(into[ball], [square], True)
        return result

    def jumping_into(self, direction, into, home):
        """The ball goes over a whole run of stones to the first empty square or off the strip; the run is removed. On that
        square the turn ends, or the ball goes on in the same direction."""
        result = {}
        for ball in self.balls[::-direction]:  # those that a jump can reach first
            result[ball] = self.bdd.false
            run = self.bdd.true  # all squares between ball and square have stones
            square = ball + direction
            while True:
                beyond = square not in self.squares
                if square != ball + direction:  # otherwise no stone lies between
                    lands = run if beyond else run & ~self.stone[square]
                    if square not in self.balls:
                        after = self.bdd.true if home else self.bdd.false
                    else:
                        emptied = range(ball, square, direction)
                        after = self.made_so(into[square] | result[square], emptied, False)
                    result[ball] |= lands & after
                if beyond:
                    break
                run &= self.stone[square]
                square += direction
        return result

    def some_turn(self, into, left_home, right_home):
        """The boards with some turn into a set, or home where that counts: at the mover's goal."""
        ways = [(RIGHTWARD, left_home), (LEFTWARD, right_home)]
        jumps = [self.jumping_into(way, into, home) for way, home in ways if home or not self.directional]
        return self.union(self.placing_into(into), *jumps)

    def forward_turn_of_left(self, won):
        """The boards from which some turn that touches only squares to the right of the ball leads into a set, or wins for Left."""
        return self.union(
            self.placing_into(won, lambda square, ball: square > ball),
            self.jumping_into(RIGHTWARD, won, home=True),
        )

    def other_turn_of_left(self, won):
        """The same for the other turns; none of them wins for Left."""
        placed = self.placing_into(won, lambda square, ball: square < ball)
        return placed if self.directional else self.union(placed, self.jumping_into(LEFTWARD, won, home=False))

    def some_turn_of_left(self, won):
        """The boards from which some turn leads into a set, or wins for Left."""
        return self.some_turn(won, left_home=True, right_home=False)

    def every_turn_of_right(self, won):
        """The boards from which every turn leads into a set, or wins for Left: no turn leads out of it, or wins for Right."""
        return self.complement(self.some_turn(self.complement(won), left_home=False, right_home=True))

    # What can be said about a set.

    def first(self, boards):
        """A board in notation, the first in the order '.', 'o', '@' from the left; None if the set is empty."""
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
        """The boards of a set with a certain mark on a square, without the ball squares that have none."""
        if mark == "@":
            return {ball: each for ball, each in boards.items() if ball == square}
        marked = {ball: self.made_so(each, [square], mark == "o") for ball, each in boards.items() if ball != square}
        return {ball: each for ball, each in marked.items() if each != self.bdd.false}

    def count(self, boards):
        """The number of boards in a set, exactly. (dd.cudd counts in floating point.)"""
        return sum(self._count(each, 0) // 2 for each in boards.values())  # the ball's own square is free in its BDD

    def _count(self, boards, level):
        """The number of ways to fill the squares from `level` on."""
        if boards == self.bdd.true or boards == self.bdd.false:
            return (boards == self.bdd.true) << (self.length - level)
        square = self.bdd.level_of_var(boards.var)
        known = self._counts.get(int(boards))
        if known is None:
            ways = sum(self._count(self.made_so(boards, [square], has), square + 1) for has in (False, True))
            known = self._counts[int(boards)] = boards, ways  # what is kept keeps its number
        return known[1] << (square - level)

    def require_none(self, boards, side, what):
        """A fault if there is a board."""
        board = self.first(boards)
        if board is not None:
            raise Fault(what, "%s %s" % (board, side))


class Translation:
    """The sets of a table as BDDs."""

    def __init__(self, contents, boards):
        self.contents, self.boards = contents, boards
        self.bdd = boards.bdd
        self.before, self.after = {}, {0: self.bdd.false, 1: self.bdd.true}

    def set(self, root):
        return {ball: self._before(root, 0, ball) for ball in self.boards.balls}

    def _before(self, node, square, ball):
        """The boards below a ternary node that have the ball on a certain square."""
        if node == 0:
            return self.bdd.false
        if (node, ball) not in self.before:
            empty, stone, has_ball = self.contents.ternary_node(node)
            if square == ball:
                result = self._after(has_ball)
            else:
                empty, stone = (self._before(child, square + 1, ball) for child in (empty, stone))
                result = self.bdd.ite(self.boards.stone[square], stone, empty)
            self.before[node, ball] = result
        return self.before[node, ball]

    def _after(self, node):
        if node not in self.after:
            square, empty, stone = self.contents.binary_node(node)
            empty, stone = self._after(empty), self._after(stone)
            self.after[node] = self.bdd.ite(self.boards.stone[square], stone, empty)
        return self.after[node]


# --- What is checked ---------------------------------------------------------------------------------------


def check(table, bdd, progress):
    """Raises Fault if the table is wrong; else every value has been proved."""
    boards = Boards(bdd, table.length, table.header["rules"] == "directional")
    translation = Translation(table.contents, boards)
    roots = table.contents.roots
    if table.header["metric"] == "dtw":
        check_depths(table, boards, translation, roots, progress)
    else:
        check_levels(table, boards, translation, list(zip(roots[::2], roots[1::2])), progress)


def check_depths(table, boards, translation, roots, progress):
    """Every root from the one before, one ply more, and the statistics."""
    older = last = boards.none  # the boards won in at most d - 2 and d - 1 plies
    depths, counts = {}, [0, 0]
    longest = {0: (0, boards.none), 1: (0, boards.none)}
    for depth in range(1, len(roots) + 2):
        progress("ply %d of %d" % (depth, len(roots)))
        odd, side = depth % 2, "RL"[depth % 2]
        turns = boards.some_turn_of_left(last) if odd else boards.every_turn_of_right(last)
        follows = boards.union(older, turns)
        stored = older if depth > len(roots) else translation.set(roots[depth - 1])
        what = "a win of Left in at most %d plies" % depth
        boards.require_none(boards.difference(stored, follows), side, "stored as %s, which does not follow" % what)
        boards.require_none(boards.difference(follows, stored), side, "%s, but not stored as one" % what)
        number = boards.count(stored) - counts[odd]
        if number:
            depths[depth] = number
            longest[odd] = depth, boards.difference(stored, older)
        counts[odd] += number
        older, last = last, stored
    require(table, "longest_win", longest[1][0])
    require(table, "longest_loss", longest[0][0])
    require_counts(table, counts[1], counts[0])
    require(table, "depths", depths, table.description)
    require(table, "longest_win", boards.first(longest[1][1]) or "", table.description)


def check_levels(table, boards, translation, pairs, progress):
    """Every level from itself and the one below, by the equations of forward play."""
    below = boards.none
    for level, (a, r) in enumerate(pairs):
        progress("level %d of %d" % (level, len(pairs) - 1))
        a, r = translation.set(a), translation.set(r)
        left = boards.union(boards.forward_turn_of_left(r), boards.other_turn_of_left(below))
        for stored, follows, side in ((a, left, "L"), (r, boards.every_turn_of_right(a), "R")):
            what = "as won by Left with at most %d turns that are not forward (level %d)" % (level, level)
            boards.require_none(boards.difference(stored, follows), side, "stored %s, which does not follow" % what)
            boards.require_none(boards.difference(follows, stored), side, "not stored %s, which follows" % what)
        below = r
    require_counts(table, boards.count(a), boards.count(r))
    if table.header["draws"]:
        for stored, follows, side in ((a, boards.some_turn_of_left(r), "L"), (r, boards.every_turn_of_right(a), "R")):
            boards.require_none(boards.difference(follows, stored), side, "a win of Left, but not stored as one")


def require_counts(table, wins, losses):
    """Left loses with Left to move as often as Right does with Right to move."""
    require(table, "wins", wins)
    require(table, "losses", losses)
    require(table, "draws", (table.length - 2 << table.length - 1) - wins - losses)


def require(table, name, counted, where=None):
    where = table.header if where is None else where
    if where[name] != counted:
        raise Fault("the table says %s = %r, its sets %r" % (name, where[name], counted))


# --- The command -------------------------------------------------------------------------------------------


class Progress:
    """After some seconds, one line on standard error that is written over; memory as the system counts it."""

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
    """The most memory that the process has had; 0 if the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> (20 if sys.platform == "darwin" else 10)


def report(path, pure):
    """What is said about one table."""
    bdd, library = manager(pure)
    result = {"table": path, "library": library}
    started, progress = time.process_time(), Progress(path)
    try:
        table = Table(path)
        if table.header["layout"] != Diagrams.NAME:
            raise TableError("%s: of the dense layout; this check is for diagrams" % table.path)
        result.update(length=table.length, rules=table.header["rules"], metric=table.header["metric"], roots=len(table.contents.roots))
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
    parser = argparse.ArgumentParser(description="Checks diagram tables from the rules alone, with BDDs of the package dd.")
    parser.add_argument("tables", metavar="TABLE", nargs="+", help="a file strip-N-dtw.phut or strip-N-wdl.phut")
    parser.add_argument("--json", action="store_true", help="one JSON object for each table")
    parser.add_argument("--pure", action="store_true", help="dd's BDDs in Python, not CUDD (slower)")
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
