#!/usr/bin/env python3
"""A match between two engines over the Universal Game Interface; standard library only.

    python3 examples/ugi_match.py --games 4 "phutbase ugi" "phutbase ugi --player potential"
    python3 examples/ugi_match.py --fen "o@o.o.o.... L" --verbose "phutbase ugi" "phutbase ugi --player random"

The engines take turns in moving first. They are asked by 'query' who is to move, whether the game is over, and who has won, so
this program knows nothing of the rules. Exit code 1 if they disagree, or one of them ends or does not answer in time.
"""

import argparse
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time


class Engine:
    """One engine: a process that is talked to in lines."""

    def __init__(self, command, timeout):
        self.command = command
        self.timeout = timeout
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            start_new_session=True,  # so that all it starts can be ended with it
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def get_ready(self):
        self.send("ugi")
        self.wait_for("ugiok")
        self.send("isready")
        self.wait_for("readyok")

    def listen(self):
        """Passes on what the engine says; None when it has ended."""
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # That it has ended shows when an answer is waited for.

    def wait_for(self, word):
        """The rest of the next line that begins with a word; what else is said is passed over, except errors."""
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                line = self.lines.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                raise RuntimeError(f"{self.command}: no '{word}' within {self.timeout:g} s") from None
            if line is None:
                raise RuntimeError(f"{self.command}: ended before '{word}' came")
            found, _, rest = line.strip().partition(" ")
            if found == word:
                return rest
            if line.startswith("info string error"):
                raise RuntimeError(f"{self.command}: {line.strip()}")

    def query(self, question):
        self.send(f"query {question}")
        return self.wait_for("response")

    def close(self):
        """Asks the engine to end, and ends it if it does not."""
        self.send("quit")
        try:
            self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)


def both(engines, question):
    """What both engines answer; it must be the same."""
    answers = [engine.query(question) for engine in engines]
    if answers[0] != answers[1]:
        raise RuntimeError(f"'{question}': the engines answer {answers[0]} and {answers[1]}")
    return answers[0]


def play(first, second, start, go, verbose):
    """One game; returns 'p1win', 'p2win' or 'draw', and the turns."""
    engines = (first, second)
    moves = []
    for engine in engines:
        engine.send("uginewgame")
    while True:
        position = f"position {start}" + (" moves " + " ".join(moves) if moves else "")
        for engine in engines:
            engine.send(position)
        if both(engines, "gameover") == "true":
            return both(engines, "result"), moves
        mover = first if both(engines, "p1turn") == "true" else second
        mover.send(go)
        moves.append(mover.wait_for("bestmove").split()[0])
        if verbose:
            print(f"{len(moves):3}. {moves[-1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engines", nargs=2, metavar="COMMAND")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--movetime", type=int, default=100, metavar="MS")
    parser.add_argument("--timeout", type=float, default=30, metavar="S", help="how long to wait for an answer, thinking included")
    parser.add_argument("--fen", help="begin with this position instead of the engines' startpos")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    start = f"fen {arguments.fen}" if arguments.fen else "startpos"
    engines, wins, draws = [], [0, 0], 0
    try:
        for command in arguments.engines:
            engines.append(Engine(command, arguments.timeout))
            engines[-1].get_ready()
        for number in range(arguments.games):
            # The engine that moves as the first player changes from game to game.
            first, second = (0, 1) if number % 2 == 0 else (1, 0)
            result, moves = play(
                engines[first], engines[second], start, f"go movetime {arguments.movetime}", arguments.verbose
            )
            print(f"game {number + 1}: {result} after {len(moves)} turns, {engines[first].command} first")
            if result == "draw":
                draws += 1
            else:
                wins[first if result == "p1win" else second] += 1
    except (RuntimeError, OSError) as error:
        sys.exit(f"ugi_match: {error}")
    finally:
        for engine in engines:
            engine.close()
    print(f"{wins[0]} wins, {wins[1]} losses, {draws} draws for {engines[0].command}")


if __name__ == "__main__":
    main()
