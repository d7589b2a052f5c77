#!/usr/bin/env python3
"""A minimal UGI engine for strips: wins if it can, else jumps forward, else places a stone.

    phutbase test-engine 4..12 --sample 180 -- python3 examples/sample_engine.py
"""

import sys


def turns(board, ball):
    """Yields all turns: notation, board, ball square after it (-1 or len(board) off the strip)."""
    for square, symbol in enumerate(board):
        if symbol == ".":
            yield f"o{square}", board[:square] + "o" + board[square + 1 :], ball
    for step in (-1, 1):
        after, at = list(board), ball
        while 0 <= at + step < len(board) and after[at + step] == "o":
            after[at] = "."
            at += step
            while 0 <= at < len(board) and after[at] == "o":
                after[at] = "."
                at += step
            if not 0 <= at < len(board):
                yield ("@L" if step < 0 else "@R"), "".join(after), -1 if step < 0 else len(board)
                break
            after[at] = "@"
            yield f"@{at}", "".join(after), at


def choose(board, side):
    """Returns a winning jump, else the longest jump forward, else a stone ahead of the ball."""
    ball, ahead = board.index("@"), 1 if side == "L" else -1

    def worth(turn):
        notation, _, at = turn
        if at != ball:
            return (at - ball) * ahead
        return 0.5 - 0.01 * abs(int(notation[1:]) - ball - ahead)

    return max(turns(board, ball), key=worth)[0]


def main():
    board, side = "", "L"
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "ugi":
            print("id name sample\nid author you\nugiok")
        elif command == "isready":
            print("readyok")
        elif command == "position":
            start, _, moves = rest.partition(" moves ")
            board, side = start.removeprefix("fen ").split() if start != "startpos" else ("." * 10 + "@" + "." * 10, "L")
            for move in moves.split():
                board = next(after for name, after, _ in turns(board, board.index("@")) if name == move)
                side = "R" if side == "L" else "L"
        elif command == "go":
            print(f"bestmove {choose(board, side)}")
        elif command == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
