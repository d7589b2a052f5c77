#!/usr/bin/env python3
"""Reads phutbase tables of both layouts: an independent reader, written from docs/FORMAT.md alone.

    read_table.py TABLE "o@o.o.o.... L"   the value of one position: 'win 13', 'loss 14', 'draw'
    read_table.py TABLE --all             the values of all positions with Left to move, one per line, by index
    read_table.py TABLE --raw             the same as one byte each: 0 draw, odd win, even loss (none past 255)
    read_table.py TABLE --header          header, sections and description as JSON
    read_table.py TABLE --check           nothing, if all of the file is whole

The index of a position is (ball - 1) * 2^(n-1) + pattern. A value is that of the player to move; the number is its plies.
A wdl table has no plies: it prints 'win', 'loss', 'draw', and its bytes under --raw are 1 for a win and 2 for a loss.

Exit codes: 0; 1 with one line on stderr if the table is damaged or cannot be read; 2 for bad usage.

As a module: Table(path).value("o@o.o.o....") gives ('win', 13).

Needs Python 3.8 and a zstd library: Python 3.14's own, the package 'zstandard', or libzstd.
"""

import argparse
import ctypes
import ctypes.util
import functools
import json
import os
import re
import struct
import sys
import zlib

HEADER_BYTES = 32
VERSION = 3
METRICS = {1: "dtw", 2: "wdl"}
DENSE, DIAGRAM = 1, 2  # kinds of file
RULES = {0: "ordinary", 1: "directional"}
FRAME_BYTES = 32768
LEFT, RIGHT = 0, 1


class TableError(Exception):
    """A table that cannot be used; the text names the file and what is wrong."""


class PositionError(ValueError):
    """A text that is no position of the table."""


# --- Zstandard ---------------------------------------------------------------------------------------------


def _own_zstd():
    from compression import zstd

    return lambda packed, size: zstd.decompress(packed)


def _package_zstd():
    import zstandard

    return lambda packed, size: zstandard.ZstdDecompressor().decompress(packed, max_output_size=size)


def _system_zstd():
    names = [ctypes.util.find_library("zstd"), "libzstd.so.1", "libzstd.1.dylib", "libzstd.dylib", "libzstd.dll"]
    for name in filter(None, names):
        try:
            library = ctypes.CDLL(name)
            break
        except OSError:
            continue
    else:
        raise ImportError("no libzstd")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_isError.restype = ctypes.c_uint
    library.ZSTD_isError.argtypes = [ctypes.c_size_t]

    def unpack(packed, size):
        contents = ctypes.create_string_buffer(max(size, 1))
        written = library.ZSTD_decompress(contents, size, packed, len(packed))
        if library.ZSTD_isError(written):
            raise ValueError("zstd refuses it")
        return contents.raw[:written]

    return unpack


@functools.lru_cache(maxsize=None)
def zstd_unpacker():
    """A function of packed bytes and unpacked size, from the first zstd library that is there."""
    for find in (_own_zstd, _package_zstd, _system_zstd):
        try:
            return find()
        except (ImportError, OSError, AttributeError):
            continue
    raise TableError("no zstd library: use Python 3.14, or 'pip install zstandard', or install libzstd")


def unpacked(packed, size):
    """The bytes that were packed; None if they are not so many."""
    unpack = zstd_unpacker()
    try:
        contents = unpack(packed, size)
    except Exception:  # each library has its own
        return None
    return contents if len(contents) == size else None


# --- The metadata ------------------------------------------------------------------------------------------


class _Fields:
    """Reads bincode's standard encoding from the front of some bytes."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise ValueError("too short")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self):
        first = self.take(1)[0]
        if first <= 250:
            return first
        if first == 255:
            raise ValueError("no number")
        return int.from_bytes(self.take(2 << (first - 251)), "little")

    def string(self):
        return self.take(self.number()).decode("utf-8")

    def map(self, key, value):
        return {key(): value() for _ in range(self.number())}


    def byte(self):
        return self.take(1)[0]

    def count(self):
        """A number as the list of its bytes."""
        data = self.take(self.number())
        if not data or len(data) > 1 and data[-1] == 0:
            raise ValueError("not the shortest form")
        return int.from_bytes(data, "little")


def _parse_metadata(fields, payload):
    """Header and description; `payload` names the numbers of the layout."""
    header = {"metric": METRICS.get(fields.byte()), "length": fields.number()}
    for name in ("wins", "losses", "draws"):
        header[name] = fields.count()
    for name in ("longest_win", "longest_loss", *payload):
        header[name] = fields.number()
    description = {
        "generator": fields.string(),
        "engine": fields.string(),
        "parameters": fields.map(fields.string, fields.string),
        "depths": fields.map(fields.number, fields.number),
        "longest_win": fields.string(),
    }
    if fields.at != len(fields.data):
        raise ValueError("too long")
    return header, description


# --- The dense layout --------------------------------------------------------------------------------------


class Dense:
    """Depth bytes or bits in blocks; frames are checked when they are unpacked."""

    NAME, LONGEST = "dense", 40
    SECTIONS = ("trie", "blocks", "index")
    NUMBERS = ("blocks",)

    def __init__(self, table, trie, packed, index):
        self.header, self.damaged, self.length = table.header, table.damaged, table.length
        self.low_bits = min(12, self.length - 1)
        self.packed = packed
        positions = 1 << self.low_bits
        self.block_bytes = positions if self.header["metric"] == "dtw" else -(-positions // 8)
        self.frame_blocks = FRAME_BYTES // self.block_bytes
        self._read_trie(trie)
        self._read_index(index)
        self._frame = functools.lru_cache(maxsize=256)(self._unpack_frame)
        self._block = functools.lru_cache(maxsize=4096)(self._find_block)

    def answer(self, plane, ball, pattern):
        """In how many plies Left wins, 0 if never; under wdl 1 if Left wins."""
        low = pattern & ((1 << self.low_bits) - 1)
        high_bits = self.length - 1 - self.low_bits
        row = plane * (self.length - 2) + ball - 1
        block = self._block((row << high_bits) | (pattern >> self.low_bits))
        if self.header["metric"] == "dtw":
            return block[low]
        return block[low // 8] >> (low % 8) & 1

    def check(self):
        """Unpacks every frame, so that any damage shows."""
        for number in range(len(self.ends)):
            self._unpack_frame(number)

    def _find_block(self, place):
        number = self._block_number(place)
        at = number % self.frame_blocks * self.block_bytes
        return self._frame(number // self.frame_blocks)[at : at + self.block_bytes]

    def _block_number(self, place):
        depth = len(self.levels)
        node = 0
        for level, (start, _) in enumerate(self.levels):
            child = (place >> (4 * (depth - 1 - level))) & 15
            (node,) = struct.unpack_from("<I", self.trie, start + 64 * node + 4 * child)
        return node

    def _unpack_frame(self, number):
        begin = self.ends[number - 1] if number else 0
        packed = self.packed[begin : self.ends[number]]
        if zlib.crc32(packed) != self.sums[number]:
            raise self.damaged("frame %d has a wrong checksum" % number)
        blocks = min(self.frame_blocks, self.header["blocks"] - number * self.frame_blocks)
        expected = blocks * self.block_bytes
        contents = unpacked(packed, expected)
        if contents is None:
            raise self.damaged("frame %d does not unpack to its size" % number)
        return contents

    def _read_trie(self, trie):
        """Where each level begins, and its number of nodes; every number must lead to a node, or a block, that is there."""
        places = 2 * (self.length - 2) << (self.length - 1 - self.low_bits)
        depth = next(depth for depth in range(1, 17) if 16**depth >= places)
        if not 1 <= self.header["blocks"] <= places:
            raise self.damaged("the number of blocks is out of range")
        start = 4 + 4 * depth
        if len(trie) < start or struct.unpack_from("<I", trie)[0] != depth:
            raise self.damaged("the trie cannot be read")
        counts = struct.unpack_from("<%dI" % depth, trie, 4)
        self.trie, self.levels = trie, []
        for nodes, below in zip(counts, (*counts[1:], self.header["blocks"])):
            if nodes == 0 or start + 64 * nodes > len(trie):
                raise self.damaged("the trie cannot be read")
            if max(struct.unpack_from("<%dI" % (16 * nodes), trie, start)) >= below:
                raise self.damaged("the trie leads to what is not there")
            self.levels.append((start, nodes))
            start += 64 * nodes
        if start != len(trie) or counts[0] != 1:
            raise self.damaged("the trie cannot be read")

    def _read_index(self, index):
        if len(index) != 12 * -(-self.header["blocks"] // self.frame_blocks):
            raise self.damaged("the index has the wrong size")
        entries = list(struct.iter_unpack("<QI", index))
        self.ends, self.sums = [end for end, _ in entries], [crc for _, crc in entries]
        if sorted(set(self.ends)) != self.ends or self.ends[-1] != len(self.packed):
            raise self.damaged("the index does not fit the blocks")


# --- The diagram layout ------------------------------------------------------------------------------------


class Diagrams:
    """Sets of boards as decision diagrams: all of it is checked at once."""

    NAME, LONGEST = "diagram", 128
    SECTIONS = ("roots", "nodes")
    NUMBERS = ("ternary_nodes", "binary_nodes")

    def __init__(self, table, roots, nodes):
        self.header, self.damaged, self.length = table.header, table.damaged, table.length
        self.ternary, self.binary = (self.header[name] for name in self.NUMBERS)
        things = self.ternary + self.binary + 2
        self.width = next((width for width in (2, 3, 4) if things <= 1 << 8 * width), None)
        self.first_binary = self.ternary + 2
        if self.width is None:
            raise self.damaged("there are more nodes than numbers")
        self.nodes = self._unpack(nodes)
        if len(roots) % 4:
            raise self.damaged("the roots section has the wrong size")
        self.roots = struct.unpack("<%dI" % (len(roots) // 4), roots)
        self._check_number_of_roots()
        self._check_ternary_nodes()
        self._check_binary_nodes()

    def ternary_node(self, number):
        """Where a ternary node leads to if its square is empty, has a stone, has the ball."""
        at = (number - 2) * 3 * self.width
        return tuple(self._number(at + child * self.width) for child in range(3))

    def binary_node(self, number):
        """A binary node's square, and where it leads to if that is empty or has a stone."""
        at = self.ternary * 3 * self.width + (number - self.first_binary) * (1 + 2 * self.width)
        return self.nodes[at], self._number(at + 1), self._number(at + 1 + self.width)

    def has(self, root, ball, stones):
        """Whether a board is in the set of a root."""
        at = root
        for square in range(ball + 1):
            if at == 0:
                return False
            at = self.ternary_node(at)[2 if square == ball else stones >> square & 1]
        while at > 1:
            square, empty, stone = self.binary_node(at)
            at = stone if stones >> square & 1 else empty
        return at == 1

    def answer(self, plane, ball, pattern):
        """In how many plies Left wins, 0 if never; under wdl 1 if Left wins."""
        below = (1 << ball) - 1
        stones = (pattern & below) | (pattern & ~below) << 1
        if self.header["metric"] == "wdl":
            return int(self.has(self.roots[-2 + plane], ball, stones))
        sets = self.roots[plane::2]  # those of 1, 3, 5 … or 2, 4, 6 … plies
        low, high = 0, len(sets)
        while low < high:
            middle = (low + high) // 2
            if self.has(sets[middle], ball, stones):
                high = middle
            else:
                low = middle + 1
        return 2 * low + 1 + plane if low < len(sets) else 0

    def check(self):
        """Everything has been checked when the table was opened."""

    def _number(self, at):
        return int.from_bytes(self.nodes[at : at + self.width], "little")

    def _unpack(self, packed):
        """All bytes of the ternary nodes, then those of the binary ones; the file has all first bytes first, then all second ones, and so on."""
        kinds = ((self.ternary, 3 * self.width), (self.binary, 1 + 2 * self.width))
        size = sum(nodes * each for nodes, each in kinds)
        if size > (1 << 22) + 64 * len(packed):
            raise self.damaged("it is too short for so many nodes")
        contents = unpacked(packed, size)
        if contents is None:
            raise self.damaged("the nodes do not fill their section")
        laid_out, start = bytearray(size), 0
        for nodes, each in kinds:
            end = start + nodes * each
            for byte in range(each):
                begin = start + nodes * byte
                laid_out[start + byte : end : each] = contents[begin : begin + nodes]
            start = end
        return bytes(laid_out)

    def _check_number_of_roots(self):
        if self.header["metric"] == "dtw":
            good = len(self.roots) == max(self.header["longest_win"], self.header["longest_loss"])
        else:
            good = len(self.roots) >= 2 and len(self.roots) % 2 == 0
        if not good:
            raise self.damaged("the number of roots is wrong")

    def _check_ternary_nodes(self):
        """Goes through the ternary nodes square by square, from the roots."""
        seen, here = set(), set(self.roots) - {0}
        for square in range(self.length - 1):
            if not here.isdisjoint(seen):
                raise self.damaged("a node stands on two squares")
            seen |= here
            below = set()
            for number in here:
                if not 2 <= number < self.first_binary:
                    raise self.damaged("a root or a child before the ball is no ternary node")
                empty, stone, ball = self.ternary_node(number)
                below.update((empty, stone))
                self._check_binary_child(ball, square)
                if square == 0 and ball != 0:
                    raise self.damaged("the ball is on square 0")
            here = below - {0}
        if here:
            raise self.damaged("a ternary node stands past square n-2")
        if len(seen) != self.ternary:
            raise self.damaged("a ternary node is below no root")

    def _check_binary_nodes(self):
        for number in range(self.first_binary, self.first_binary + self.binary):
            square, empty, stone = self.binary_node(number)
            if square >= self.length:
                raise self.damaged("a binary node stands past the strip")
            if empty == stone:
                raise self.damaged("a binary node has equal children")
            self._check_binary_child(empty, square)
            self._check_binary_child(stone, square)

    def _check_binary_child(self, number, square):
        """`number` must be a leaf or a binary node on the right of `square`."""
        if number <= 1:
            return
        if not self.first_binary <= number < self.first_binary + self.binary:
            raise self.damaged("a child after the ball is neither leaf nor binary node")
        if self.binary_node(number)[0] <= square:
            raise self.damaged("a binary node does not lead to the right")


KINDS = {DENSE: Dense, DIAGRAM: Diagrams}


# --- The table ---------------------------------------------------------------------------------------------


class Table:
    """One table, checked when it is opened (frames of the dense layout: when they are unpacked)."""

    def __init__(self, path, data=None):
        """Reads the file at `path`; with `data`, `path` is only its name."""
        self.path = str(path)
        if data is None:
            try:
                with open(path, "rb") as file:
                    data = file.read()
            except OSError as error:
                raise TableError("%s: cannot read it: %s" % (self.path, error.strerror))
        self.data = data
        kind, fields = self._read_container()
        try:
            self.header, self.description = _parse_metadata(fields, kind.NUMBERS)
        except ValueError:  # of which UnicodeDecodeError is one
            raise self.damaged("the metadata cannot be read")
        self.length = self.header["length"]
        self.header.update(version=VERSION, layout=kind.NAME, rules=self.rules)
        self._check_numbers(kind)
        self._check_name()
        self.contents = kind(self, *(self._section(name) for name in kind.SECTIONS))

    def value(self, position):
        """The value of a position in notation, as ('win' | 'loss', plies) or ('draw', None); no plies from wdl."""
        length, ball, stones, side = parse_position(position)
        if length != self.length:
            raise PositionError("a strip of %d squares, in a table for %d" % (length, self.length))
        below = (1 << ball) - 1
        pattern = (stones & below) | ((stones >> 1) & ~below)
        if side == RIGHT:
            ball, pattern = self._mirror(ball, pattern)
        return self.words(self.left_value(ball, pattern))

    def left_value(self, ball, pattern):
        """The value with Left to move as a number: 0 draw, odd win, even loss; under wdl 1 and 2."""
        win = self.contents.answer(LEFT, ball, pattern)
        if win:
            return win
        loss = self.contents.answer(RIGHT, *self._mirror(ball, pattern))
        return 2 * loss if self.header["metric"] == "wdl" else loss

    def left_values(self):
        """The values of all positions with Left to move, by index."""
        for ball in range(1, self.length - 1):
            for pattern in range(1 << (self.length - 1)):
                yield self.left_value(ball, pattern)

    def words(self, number):
        """A value from the number that stands for it."""
        if number == 0:
            return ("draw", None)
        plies = number if self.header["metric"] == "dtw" else None
        return ("win" if number % 2 else "loss", plies)

    def check(self):
        """Looks at all that opening has left out, so that any damage shows."""
        self.contents.check()

    def damaged(self, what):
        """The error that says so."""
        return TableError("%s: damaged: %s" % (self.path, what))

    def _mirror(self, ball, pattern):
        width = self.length - 1
        return width - ball, int(format(pattern, "0%db" % width)[::-1], 2)

    def _read_container(self):
        """The kind of file, and the fields of its metadata; notes the sections and the rules."""
        data = self.data
        if len(data) < HEADER_BYTES or data[:8] != b"PHUTBASE":
            raise TableError("%s: not a phutbase file, or cut short" % self.path)
        version, kind, rules, tail_crc, tail, tail_bytes, crc = struct.unpack_from("<HBBIQII", data, 8)
        if version != VERSION:
            raise TableError("%s: format version %d, this reader knows %d" % (self.path, version, VERSION))
        if zlib.crc32(data[:28]) != crc:
            raise self.damaged("the header's checksum is wrong")
        if kind not in KINDS:
            raise TableError("%s: kind %d is no table of a strip" % (self.path, kind))
        if rules not in RULES:
            raise self.damaged("unknown rules")
        self.rules = RULES[rules]
        if tail + tail_bytes != len(data):
            raise self.damaged("%d bytes long, its header says %d" % (len(data), tail + tail_bytes))
        if zlib.crc32(data[tail:]) != tail_crc:
            raise self.damaged("the checksum of the directory is wrong")
        fields, end, self.sections = _Fields(data[tail:]), HEADER_BYTES, {}
        try:
            for _ in range(fields.number()):
                name = fields.string()
                offset, size, crc = fields.number(), fields.number(), fields.number()
                if offset != end or size > tail - end:
                    raise ValueError("out of place")
                self.sections[name] = {"offset": offset, "bytes": size, "crc": crc}
                end += size
        except ValueError:
            raise self.damaged("the directory cannot be read")
        if end != tail or tuple(self.sections) != KINDS[kind].SECTIONS:
            raise self.damaged("the sections are not those of this kind of file")
        return KINDS[kind], fields

    def _check_numbers(self, kind):
        header, depths = self.header, self.description["depths"]
        if header["metric"] is None or not 3 <= self.length <= kind.LONGEST:
            raise self.damaged("unknown metric, or the length is out of range")
        decided = header["wins"] + header["losses"]
        if decided + header["draws"] != (self.length - 2) << (self.length - 1):
            raise self.damaged("wins, losses and draws do not add up to the positions")
        longest = [max((plies for plies in depths if plies % 2 == parity), default=0) for parity in (1, 0)]
        fits = longest == [header["longest_win"], header["longest_loss"]] and 0 not in (*depths, *depths.values())
        if not fits or sum(depths.values()) != (decided if header["metric"] == "dtw" else 0):
            raise self.damaged("the depths do not fit the counts, or the longest win and loss")

    def _check_name(self):
        name = re.fullmatch(r"(directional-)?strip-(\d+)-(\w+)\.phut", os.path.basename(self.path))
        prefix = None if self.rules == "ordinary" else "directional-"
        if name and name.groups() != (prefix, str(self.length), self.header["metric"]):
            told = (self.path, self.header["metric"], self.length, self.rules)
            raise TableError("%s: a %s table for length %d under %s rules" % told)

    def _section(self, name):
        section = self.sections[name]
        data = self.data[section["offset"] : section["offset"] + section["bytes"]]
        # Frames have checksums of their own, so that the whole ones of a damaged table still answer.
        if name != "blocks" and zlib.crc32(data) != section["crc"]:
            raise self.damaged("the checksum of section '%s' is wrong" % name)
        return data


# --- Notation ----------------------------------------------------------------------------------------------


def parse_position(text):
    """Length, ball square, stones (bit i for square i) and side to move."""
    words = text.split()
    if not 1 <= len(words) <= 2 or (len(words) == 2 and words[1] not in ("L", "R")):
        raise PositionError("write a board and, after a blank, L or R")
    board = words[0].translate(str.maketrans("O◇·●", "oo.@"))
    foreign = sorted(set(board) - set(".o@"))
    if foreign:
        raise PositionError("'%s' is no square: write '.', 'o' or '@'" % foreign[0])
    if board.count("@") != 1 or board[0] == "@" or board[-1] == "@":
        raise PositionError("a strip has one ball '@', which is not on its first or last square")
    stones = sum(1 << square for square, mark in enumerate(board) if mark == "o")
    return len(board), board.index("@"), stones, RIGHT if words[-1] == "R" else LEFT


def _line(value):
    word, plies = value
    return word if plies is None else "%s %d" % (word, plies)


def _run(arguments):
    table = Table(arguments.table)
    if arguments.header:
        print(json.dumps({"header": table.header, "sections": table.sections, "description": table.description}, indent=2))
    elif arguments.check:
        table.check()
    elif arguments.raw:
        if max(table.header["longest_win"], table.header["longest_loss"]) > 255:
            raise TableError("%s: has wins of more than 255 plies; use --all" % table.path)
        sys.stdout.buffer.write(bytes(table.left_values()))
    elif arguments.all:
        for number in table.left_values():
            print(_line(table.words(number)))
    else:
        print(_line(table.value(arguments.position)))


def main():
    parser = argparse.ArgumentParser(description="Reads a phutbase table (docs/FORMAT.md).")
    parser.add_argument("table", metavar="TABLE", help="a file strip-N-dtw.phut, strip-N-wdl.phut, or directional-strip-…")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("position", metavar="POSITION", nargs="?", help="one position in notation, as 'o@o.o.o.... L'")
    what.add_argument("--all", action="store_true", help="the values of all positions, Left to move, by index")
    what.add_argument("--raw", action="store_true", help="the same, one byte each: 0 draw, odd win, even loss")
    what.add_argument("--header", action="store_true", help="header, sections and description as JSON")
    what.add_argument("--check", action="store_true", help="check the whole file and print nothing")
    try:
        _run(parser.parse_args())
    except TableError as error:
        print(error, file=sys.stderr)
        return 1
    except PositionError as error:
        print("not a position: %s" % error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
