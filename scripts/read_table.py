#!/usr/bin/env python3
"""Reads phutbase tables of strips. An independent reader, written from docs/FORMAT.md alone.

    read_table.py TABLE "o@o.o.o.... L"   print the value of a position: 'win 13', 'loss 14', 'draw'
    read_table.py TABLE --all             print all values with Left to move, one per line, by index
    read_table.py TABLE --raw             write them as bytes: 0 draw, odd win, even loss (at most 255)
    read_table.py TABLE --header          print header, sections and counts as JSON
    read_table.py TABLE --check           check the whole file

A table of N squares contains every shorter strip: a board of n squares is followed by N - n stones.
--all and --raw are for N squares, or for those of --length.

The index of a position is (ball - 1) * 2^(n-1) + pattern. Values are for the player to move, with
the number of plies. A wdl or levels table has no plies: it prints 'win', 'loss', 'draw', and writes 1 for a
win and 2 for a loss with --raw.

Exit codes: 0; 1 if the table is damaged or cannot be read; 2 for bad usage.

As a module: Table(path).value("o@o.o.o....") returns ('win', 13).

Needs Python 3.8 and zstd: Python 3.14, the package 'zstandard', or libzstd.
"""

import argparse
import bisect
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
VERSION = 4
KIND = 1  # a table of strips
METRICS = {0: "dtw", 1: "levels", 2: "wdl"}
SECTIONS = ("roots", "blocks", "index")
LEAST, LONGEST = 3, 255  # squares
BOTTOM, TOP = 0, 1  # numbers of the leaves
FRAME_NODES = 1024
NODE_BYTES = 12
LEFT, RIGHT = 0, 1


class TableError(Exception):
    """The table cannot be used. The message names the file and the reason."""


class PositionError(ValueError):
    """The text is not a position of the table."""


# --- Zstandard ------------------------------------------------------------------------------------


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
    """Returns a function of packed bytes and unpacked size, from the first zstd library found."""
    for find in (_own_zstd, _package_zstd, _system_zstd):
        try:
            return find()
        except (ImportError, OSError, AttributeError):
            continue
    raise TableError("no zstd library: use Python 3.14, or 'pip install zstandard', or install libzstd")


def unpacked(packed, size):
    """Returns the unpacked bytes, or None if their number is not `size`."""
    unpack = zstd_unpacker()
    try:
        contents = unpack(packed, size)
    except Exception:  # each library raises its own exception
        return None
    return contents if len(contents) == size else None


# --- The metadata ---------------------------------------------------------------------------------


class _Fields:
    """Decoder for bincode's standard encoding."""

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
            raise ValueError("not a number")
        return int.from_bytes(self.take(2 << (first - 251)), "little")

    def string(self):
        return self.take(self.number()).decode("utf-8")

    def list(self, item):
        return [item() for _ in range(self.number())]

    def natural(self):
        """Reads a number stored as a list of bytes."""
        data = self.take(self.number())
        if not data or len(data) > 1 and data[-1] == 0:
            raise ValueError("not the shortest form")
        return int.from_bytes(data, "little")


def _parse_metadata(fields):
    """Returns the header and the counts of each length."""
    header = {
        "metric": METRICS.get(fields.number()),
        "length": fields.number(),
        "generator": fields.string(),
        "binary_nodes": fields.list(fields.number),
        "ternary_nodes": fields.list(fields.number),
    }
    counts = []
    for length in range(LEAST, LEAST + fields.number()):
        of_length = {"length": length, "wins": fields.natural(), "losses": fields.natural()}
        for name in ("longest_win", "longest_loss", "levels"):
            of_length[name] = fields.number()
        of_length["draws"] = (length - 2 << length - 1) - of_length["wins"] - of_length["losses"]
        counts.append(of_length)
    if fields.at != len(fields.data):
        raise ValueError("too long")
    return header, counts


# --- The nodes ------------------------------------------------------------------------------------


class Nodes:
    """The nodes of the decision diagrams. A frame is unpacked and checked on first use.

    Numbers 0 and 1 are the leaves. Then come the binary nodes from the last square to the first, then
    the ternary nodes, also from the last square to the first.
    """

    def __init__(self, table, packed, index):
        header, self.damaged, self.length = table.header, table.damaged, table.length
        counts = (header["binary_nodes"], header["ternary_nodes"])
        if any(len(of_kind) != self.length for of_kind in counts) or counts[0][0] or counts[1][-1]:
            raise self.damaged("the numbers of nodes are out of range")
        # First numbers of each kind and square, ascending, and the (kind, square) of each.
        self.begins, self.places, self.first = [BOTTOM], [(False, self.length)], {}
        end = TOP + 1
        for ternary, of_kind in enumerate(counts):
            for square in reversed(range(self.length)):
                self.first[bool(ternary), square] = end
                self.begins.append(end)
                self.places.append((bool(ternary), square))
                end += of_kind[square]
        self.end = end
        if end > (1 << 16) + 8 * len(table.data):
            raise self.damaged("it claims more nodes than its size allows")
        self.packed = packed
        self._read_index(index)
        self._frame = functools.lru_cache(maxsize=None)(self._unpack_frame)

    def place(self, number):
        """Returns if a node is ternary, and its square (the length for a leaf)."""
        return self.places[bisect.bisect_right(self.begins, number) - 1]

    def ternary_node(self, number):
        """Returns the children of a ternary node for an empty square, a stone, and the ball."""
        ball, empty, stone = self._node(number)
        return empty, stone, ball

    def binary_node(self, number):
        """Returns the square of a binary node and its children for an empty square and a stone."""
        _, empty, stone = self._node(number)
        return self.place(number)[1], empty, stone

    def has(self, root, ball, stones):
        """Tells if a board is in the set of a root."""
        at = root
        for square in range(ball + 1):
            if at == BOTTOM:
                return False
            at = self.ternary_node(at)[2 if square == ball else stones >> square & 1]
        while at > TOP:
            square, empty, stone = self.binary_node(at)
            at = stone if stones >> square & 1 else empty
        return at == TOP

    def check(self):
        """Unpacks and checks every frame."""
        for frame in range(len(self.ends)):
            self._unpack_frame(frame)

    def _node(self, number):
        frame, place = divmod(number - 2, FRAME_NODES)
        return self._frame(frame)[place]

    def _unpack_frame(self, frame):
        """Returns the nodes of a frame as (ball, empty, stone); checks order and children."""
        begin = self.ends[frame - 1] if frame else 0
        packed = self.packed[begin : self.ends[frame]]
        if zlib.crc32(packed) != self.sums[frame]:
            raise self.damaged("checksum mismatch in frame %d" % frame)
        first = 2 + frame * FRAME_NODES
        count = min(FRAME_NODES, self.end - first)
        raw = unpacked(packed, count * NODE_BYTES)
        if raw is None:
            raise self.damaged("frame %d cannot be unpacked" % frame)
        columns = []
        for field in range(3):
            planes = [raw[count * byte : count * (byte + 1)] for byte in range(4 * field, 4 * field + 4)]
            number, column = 0, []
            for low, second, third, high in zip(*planes):
                folded = low | second << 8 | third << 16 | high << 24
                number = number + (folded >> 1 ^ -(folded & 1)) & 0xFFFFFFFF
                column.append(number)
            columns.append(column)
        nodes = list(zip(*columns))
        before = None
        for number, node in enumerate(nodes, first):
            place = self.place(number)
            if not self._is_valid(place, node) or before is not None and before >= (place, node):
                raise self.damaged("node %d of frame %d is invalid" % (number - first, frame))
            # Nodes are sorted within a kind and square only.
            before = (place, node) if self.place(number + 1) == place else None
        return nodes

    def _is_valid(self, place, node):
        (ternary, square), (ball, empty, stone) = place, node
        if not ternary:
            return ball == 0 and empty != stone and self._is_right(empty, square) and self._is_right(stone, square)
        if node == (0, 0, 0) or square == 0 and ball:
            return False
        return self._is_right(ball, square) and all(
            child == BOTTOM or child < self.end and self.place(child) == (True, square + 1) for child in (empty, stone)
        )

    def _is_right(self, number, square):
        """Tells if a node is a leaf or a binary node to the right of a square."""
        return number < self.first[False, square]

    def _read_index(self, index):
        nodes = self.end - 2
        if len(index) != 12 * -(-nodes // FRAME_NODES):
            raise self.damaged("the index has the wrong size")
        entries = list(struct.iter_unpack("<QI", index))
        self.ends, self.sums = [end for end, _ in entries], [crc for _, crc in entries]
        if sorted(set(self.ends)) != self.ends or (self.ends or [0])[-1] != len(self.packed):
            raise self.damaged("the index does not match the blocks")


# --- The table ------------------------------------------------------------------------------------


class Table:
    """A table. Everything except its frames is checked on opening."""

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
        fields = self._read_container()
        try:
            self.header, self.counts = _parse_metadata(fields)
        except ValueError:  # UnicodeDecodeError is one
            raise self.damaged("the metadata cannot be read")
        self.length = self.header["length"]
        self.header.update(version=VERSION)
        roots, blocks, index = (self._section(name) for name in SECTIONS)
        if len(roots) % 4:
            raise self.damaged("the roots section has the wrong size")
        self.roots = struct.unpack("<%dI" % (len(roots) // 4), roots)
        self._check_counts()
        self._check_name()
        self.nodes = Nodes(self, blocks, index)
        first = range(self.nodes.first[True, 0], self.nodes.end)
        if not all(root == BOTTOM or root in first for root in self.roots):
            raise self.damaged("a root is not a ternary node on the first square")

    def value(self, position):
        """Returns ('win' | 'loss', plies) or ('draw', None); plies is None without depths."""
        length, ball, stones, side = parse_position(position)
        if length > self.length:
            raise PositionError("it has %d squares; the table has at most %d" % (length, self.length))
        if side == RIGHT:
            ball, stones = _mirror(length, ball, stones)
        return self.words(self.left_value(length, ball, stones))

    def left_value(self, length, ball, stones):
        """Returns a value with Left to move: 0 draw, odd win, even loss; 1 and 2 without depths."""
        win = self.answer(LEFT, length, ball, stones)
        if win:
            return win
        loss = self.answer(RIGHT, length, *_mirror(length, ball, stones))
        return loss if self.header["metric"] == "dtw" else 2 * loss

    def left_values(self, length=None):
        """Yields the values of all positions of a length with Left to move, by index."""
        length = self.length if length is None else length
        for ball in range(1, length - 1):
            below = (1 << ball) - 1
            for pattern in range(1 << (length - 1)):
                yield self.left_value(length, ball, pattern & below | (pattern & ~below) << 1)

    def answer(self, side, length, ball, stones):
        """Returns the plies in which Left wins with `side` to move, or 0; without depths 1 or 0."""
        # A shorter strip is followed by stones.
        stones |= (1 << self.length) - (1 << length)
        if self.header["metric"] != "dtw":
            return int(self.nodes.has(self.roots[-2 + side], ball, stones))
        sets = self.roots[side::2]  # sets of 1, 3, 5 … or 2, 4, 6 … plies
        low, high = 0, len(sets)
        while low < high:
            middle = (low + high) // 2
            if self.nodes.has(sets[middle], ball, stones):
                high = middle
            else:
                low = middle + 1
        return 2 * low + 1 + side if low < len(sets) else 0

    def words(self, number):
        """Converts a number to a value."""
        if number == 0:
            return ("draw", None)
        plies = number if self.header["metric"] == "dtw" else None
        return ("win" if number % 2 else "loss", plies)

    def check(self):
        """Checks the frames too."""
        self.nodes.check()
        if zlib.crc32(self.nodes.packed) != self.sections["blocks"]["crc"]:
            raise self.damaged("checksum mismatch in section 'blocks'")

    def damaged(self, what):
        return TableError("%s: damaged: %s" % (self.path, what))

    def _read_container(self):
        """Reads header and directory; returns a decoder for the metadata."""
        data = self.data
        if len(data) < HEADER_BYTES or data[:8] != b"PHUTBASE":
            raise TableError("%s: not a phutbase file, or truncated" % self.path)
        version, kind, rules, tail_crc, tail, tail_bytes, crc = struct.unpack_from("<HBBIQII", data, 8)
        if version != VERSION:
            raise TableError("%s: format version %d; this reader supports %d" % (self.path, version, VERSION))
        if zlib.crc32(data[:28]) != crc:
            raise self.damaged("checksum mismatch in the header")
        if kind != KIND:
            raise TableError("%s: kind %d is not a table of strips" % (self.path, kind))
        if rules != 0:
            raise self.damaged("unknown rules")
        if tail + tail_bytes != len(data):
            raise self.damaged("it has %d bytes, its header says %d" % (len(data), tail + tail_bytes))
        if zlib.crc32(data[tail:]) != tail_crc:
            raise self.damaged("checksum mismatch in the directory")
        fields, end, self.sections = _Fields(data[tail:]), HEADER_BYTES, {}
        try:
            for _ in range(fields.number()):
                name = fields.string()
                offset, size, crc = fields.number(), fields.number(), fields.number()
                if offset != end or size > tail - end:
                    raise ValueError("misplaced section")
                self.sections[name] = {"offset": offset, "bytes": size, "crc": crc}
                end += size
        except ValueError:
            raise self.damaged("the directory cannot be read")
        if end != tail or tuple(self.sections) != SECTIONS:
            raise self.damaged("the sections are not those of a table of strips")
        return fields

    def _check_counts(self):
        header = self.header
        if header["metric"] is None or not LEAST <= self.length <= LONGEST:
            raise self.damaged("unknown metric, or the length is out of range")
        if len(self.counts) != self.length - LEAST + 1:
            raise self.damaged("the number of lengths is wrong")
        roots = [0]
        for counts in self.counts:
            plies = (counts["longest_win"], counts["longest_loss"])
            if header["metric"] == "wdl":
                fits = plies == (0, 0) and counts["levels"] == 0
                roots.append(2)
            elif header["metric"] == "levels":
                fits = plies == (0, 0) and counts["levels"] > 0
                roots.append(2 * counts["levels"])
            else:
                fits = (plies[0] % 2 == 1 or plies[0] == 0) and plies[1] % 2 == 0 and counts["levels"] == 0
                roots.append(max(plies))
            if not fits or counts["draws"] < 0 or roots[-1] < roots[-2]:
                raise self.damaged("the counts of %d squares are inconsistent" % counts["length"])
        if roots[-1] != len(self.roots):
            raise self.damaged("the number of roots is wrong")

    def _check_name(self):
        name = re.fullmatch(r"strip-(\d+)-(\w+)\.phut", os.path.basename(self.path))
        if name and name.groups() != (str(self.length), self.header["metric"]):
            told = (self.path, self.header["metric"], self.length)
            raise TableError("%s: misnamed, it is a %s table of length %d" % told)

    def _section(self, name):
        section = self.sections[name]
        data = self.data[section["offset"] : section["offset"] + section["bytes"]]
        # Frames have checksums of their own, so intact frames of a damaged table remain usable.
        if name != "blocks" and zlib.crc32(data) != section["crc"]:
            raise self.damaged("checksum mismatch in section '%s'" % name)
        return data


def _mirror(length, ball, stones):
    return length - 1 - ball, int(format(stones, "0%db" % length)[::-1], 2)


# --- Notation -------------------------------------------------------------------------------------


def parse_position(text):
    """Returns length, ball square, stones (bit i for square i) and side to move."""
    words = text.split()
    if not 1 <= len(words) <= 2 or (len(words) == 2 and words[1] not in ("L", "R")):
        raise PositionError("write a board and, after a blank, L or R")
    board = words[0].translate(str.maketrans("O◇·●", "oo.@"))
    foreign = sorted(set(board) - set(".o@"))
    if foreign:
        raise PositionError("'%s' is not a square: write '.', 'o' or '@'" % foreign[0])
    if board.count("@") != 1 or board[0] == "@" or board[-1] == "@":
        raise PositionError("write one ball '@', not on the first or last square")
    stones = sum(1 << square for square, mark in enumerate(board) if mark == "o")
    return len(board), board.index("@"), stones, RIGHT if words[-1] == "R" else LEFT


def _line(value):
    word, plies = value
    return word if plies is None else "%s %d" % (word, plies)


def _run(arguments):
    table = Table(arguments.table)
    length = table.length if arguments.length is None else arguments.length
    if not LEAST <= length <= table.length:
        raise TableError("%s: contains strips of %d to %d squares, not %d" % (table.path, LEAST, table.length, length))
    if arguments.header:
        print(json.dumps({"header": table.header, "sections": table.sections, "lengths": table.counts}, indent=2))
    elif arguments.check:
        table.check()
    elif arguments.raw:
        counts = table.counts[length - LEAST]
        if max(counts["longest_win"], counts["longest_loss"]) > 255:
            raise TableError("%s: has wins of more than 255 plies; use --all" % table.path)
        sys.stdout.buffer.write(bytes(table.left_values(length)))
    elif arguments.all:
        for number in table.left_values(length):
            print(_line(table.words(number)))
    else:
        print(_line(table.value(arguments.position)))


def main():
    parser = argparse.ArgumentParser(description="Read a phutbase table (docs/FORMAT.md).")
    parser.add_argument("table", metavar="TABLE", help="file strip-N-dtw.phut, strip-N-levels.phut or strip-N-wdl.phut")
    parser.add_argument("--length", type=int, metavar="SQUARES", help="length for --all and --raw [default: the longest]")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("position", metavar="POSITION", nargs="?", help="print the value of a position such as 'o@o.o.o.... L'")
    what.add_argument("--all", action="store_true", help="print all values with Left to move, by index")
    what.add_argument("--raw", action="store_true", help="write them as bytes: 0 draw, odd win, even loss")
    what.add_argument("--header", action="store_true", help="print header, sections and counts as JSON")
    what.add_argument("--check", action="store_true", help="check the whole file")
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
