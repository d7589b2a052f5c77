#!/usr/bin/env python3
"""Reads phutbase tables: an independent reader, written from docs/FORMAT.md alone.

    read_table.py TABLE "o@o.o.o.... L"   the value of one position: 'win 13', 'loss 14', 'draw'
    read_table.py TABLE --all             the values of all positions with Left to move, one per line, by index
    read_table.py TABLE --raw             the same as one byte each: 0 draw, odd win, even loss
    read_table.py TABLE --header          header and description as JSON
    read_table.py TABLE --check           nothing, if every frame of the file is whole

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

HEADER_BYTES = 192
VERSION = 1
METRICS = {1: "dtw", 2: "wdl"}
SECTIONS = ("description", "trie", "index")
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


# --- The description ---------------------------------------------------------------------------------------


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


def _parse_description(data):
    fields = _Fields(data)
    description = {
        "generator": fields.string(),
        "engine": fields.string(),
        "parameters": fields.map(fields.string, fields.string),
        "depths": fields.map(fields.number, fields.number),
        "longest_win": fields.string(),
    }
    if fields.at != len(data):
        raise ValueError("too long")
    return description


# --- The table ---------------------------------------------------------------------------------------------


class Table:
    """One table, checked when it is opened; frames are checked when they are unpacked."""

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
        self.header = self._read_header()
        self.length = self.header["length"]
        self.low_bits = min(12, self.length - 1)
        self._check_name()
        sections = {name: self._section(name) for name in SECTIONS}
        try:
            self.description = _parse_description(sections["description"])
        except ValueError:  # of which UnicodeDecodeError is one
            raise self._damaged("the description cannot be read")
        self._read_trie(sections["trie"])
        self.index = sections["index"]
        self._check_shape()
        self._frame = functools.lru_cache(maxsize=256)(self._unpack_frame)
        self._block = functools.lru_cache(maxsize=4096)(self._find_block)

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
        win = self._answer(LEFT, ball, pattern)
        if win:
            return win
        loss = self._answer(RIGHT, *self._mirror(ball, pattern))
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

    def check_frames(self):
        """Unpacks every frame, so that any damage shows."""
        for number in range(len(self.index) // 16):
            self._unpack_frame(number)

    def _mirror(self, ball, pattern):
        width = self.length - 1
        return width - ball, int(format(pattern, "0%db" % width)[::-1], 2)

    def _answer(self, plane, ball, pattern):
        low = pattern & ((1 << self.low_bits) - 1)
        high_bits = self.length - 1 - self.low_bits
        row = plane * (self.length - 2) + ball - 1
        block = self._block((row << high_bits) | (pattern >> self.low_bits))
        if self.header["metric"] == "dtw":
            return block[low]
        return block[low // 8] >> (low % 8) & 1

    def _find_block(self, place):
        number = self._block_number(place)
        frame_blocks, size = self.header["frame_blocks"], self.header["block_bytes"]
        at = number % frame_blocks * size
        return self._frame(number // frame_blocks)[at : at + size]

    def _block_number(self, place):
        depth = len(self.levels)
        if place >> (4 * depth):
            raise self._damaged("the trie has too few levels")
        node = 0
        for level, (start, nodes) in enumerate(self.levels):
            if node >= nodes:
                raise self._damaged("the trie leads to a node that is not there")
            child = (place >> (4 * (depth - 1 - level))) & 15
            (node,) = struct.unpack_from("<I", self.trie, start + 64 * node + 4 * child)
        if node >= self.header["blocks"]:
            raise self._damaged("the trie leads to a block that is not there")
        return node

    def _unpack_frame(self, number):
        offset, size, crc = struct.unpack_from("<QII", self.index, 16 * number)
        if offset + size > len(self.data):
            raise self._damaged("frame %d lies outside the file" % number)
        packed = self.data[offset : offset + size]
        if zlib.crc32(packed) != crc:
            raise self._damaged("the checksum of frame %d is wrong" % number)
        frame_blocks = self.header["frame_blocks"]
        blocks = min(frame_blocks, self.header["blocks"] - number * frame_blocks)
        expected = blocks * self.header["block_bytes"]
        unpack = zstd_unpacker()
        try:
            contents = unpack(packed, expected)
        except Exception:  # each library has its own
            contents = None
        if contents is None or len(contents) != expected:
            raise self._damaged("frame %d does not unpack to its size" % number)
        return contents

    def _damaged(self, what):
        return TableError("%s: damaged: %s" % (self.path, what))

    def _read_header(self):
        data = self.data
        if len(data) < HEADER_BYTES or data[:8] != b"PHUTBASE":
            raise TableError("%s: not a phutbase table, or cut short" % self.path)
        (version,) = struct.unpack_from("<H", data, 8)
        if version > VERSION:
            raise TableError("%s: format version %d is newer than this reader" % (self.path, version))
        if zlib.crc32(data[:188]) != struct.unpack_from("<I", data, 188)[0]:
            raise self._damaged("the header's checksum is wrong")
        game, metric, layout, _, length = struct.unpack_from("<4BH", data, 10)
        if version != VERSION or game != 1 or layout != 1 or metric not in METRICS or not 3 <= length <= 64:
            raise self._damaged("version, game, metric, layout or length is none that exists")
        header = {"version": version, "game": game, "metric": METRICS[metric], "layout": layout, "length": length}
        for at, name in ((16, "wins"), (32, "losses"), (48, "draws")):
            header[name] = int.from_bytes(data[at : at + 16], "little")
        names = ("longest_win", "longest_loss", "blocks", "block_bytes", "frame_blocks", "file_bytes")
        header.update(zip(names, struct.unpack_from("<2H3IQ", data, 64)))
        for at, name in zip((88, 112, 136), SECTIONS):
            header[name] = dict(zip(("offset", "bytes", "crc"), struct.unpack_from("<QQI", data, at)))
        if header["file_bytes"] != len(data):
            raise self._damaged("%d bytes long, its header says %d" % (len(data), header["file_bytes"]))
        return header

    def _check_name(self):
        name = re.fullmatch(r"strip-(\d+)-(\w+)\.phut", os.path.basename(self.path))
        if name and name.groups() != (str(self.length), self.header["metric"]):
            raise TableError("%s: a %s table for length %d" % (self.path, self.header["metric"], self.length))

    def _section(self, name):
        section = self.header[name]
        end = section["offset"] + section["bytes"]
        if end > len(self.data):
            raise self._damaged("the %s lies outside the file" % name)
        data = self.data[section["offset"] : end]
        if zlib.crc32(data) != section["crc"]:
            raise self._damaged("the checksum of the %s is wrong" % name)
        return data

    def _read_trie(self, trie):
        """Where each level begins, and its number of nodes."""
        self.trie, self.levels = trie, []
        depth = struct.unpack_from("<I", trie)[0] if len(trie) >= 4 else 0
        start = 4 + 4 * depth
        if not 1 <= depth <= 16 or start > len(trie):
            raise self._damaged("the trie cannot be read")
        for nodes in struct.unpack_from("<%dI" % depth, trie, 4):
            self.levels.append((start, nodes))
            start += 64 * nodes
        if start != len(trie):
            raise self._damaged("the trie cannot be read")

    def _check_shape(self):
        header = self.header
        positions = 1 << self.low_bits
        block_bytes = positions if header["metric"] == "dtw" else -(-positions // 8)
        if header["block_bytes"] != block_bytes or header["blocks"] < 1:
            raise self._damaged("the block size is wrong")
        if not 1 <= header["frame_blocks"] <= 65536:
            raise self._damaged("the frame size is out of range")
        if len(self.index) != 16 * -(-header["blocks"] // header["frame_blocks"]):
            raise self._damaged("the frame index has the wrong size")
        counted = header["wins"] + header["losses"] + header["draws"]
        if counted != (self.length - 2) << (self.length - 1):
            raise self._damaged("wins, losses and draws do not add up to the positions")


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
        print(json.dumps({"header": table.header, "description": table.description}, indent=2))
    elif arguments.check:
        table.check_frames()
    elif arguments.raw:
        sys.stdout.buffer.write(bytes(table.left_values()))
    elif arguments.all:
        for number in table.left_values():
            print(_line(table.words(number)))
    else:
        print(_line(table.value(arguments.position)))


def main():
    parser = argparse.ArgumentParser(description="Reads a phutbase table (docs/FORMAT.md).")
    parser.add_argument("table", metavar="TABLE", help="a file strip-N-dtw.phut or strip-N-wdl.phut")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("position", metavar="POSITION", nargs="?", help="one position in notation, as 'o@o.o.o.... L'")
    what.add_argument("--all", action="store_true", help="the values of all positions, Left to move, by index")
    what.add_argument("--raw", action="store_true", help="the same, one byte each: 0 draw, odd win, even loss")
    what.add_argument("--header", action="store_true", help="header and description as JSON")
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
