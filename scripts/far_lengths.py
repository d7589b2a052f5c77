#!/usr/bin/env python3
"""Prints the table of docs/BENCHMARKS.md about who wins on far lengths: solves each length anew, and verifies its table.

    scripts/far_lengths.py PROGRAM TABLES LENGTH...

TABLES is a directory with the tables of these lengths (phutbase generate LENGTH --metric wdl). Each length is solved by itself with two
threads, from shorter ones that it solves for the purpose; memory is the most that the process held.
"""

import json
import os
import subprocess
import sys
import time

EXPONENT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def run(*command):
    """Output, seconds, and the most memory in bytes."""
    begun = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed")
    return output, time.monotonic() - begun, usage.ru_maxrss * 1024


def rounded(count):
    """A count as 1.8·10⁸."""
    exponent = len(str(count)) - 1
    digits = f"{count / 10**exponent:.1f}"
    if digits == "10.0":
        digits, exponent = "1.0", exponent + 1
    return f"{digits}·10{str(exponent).translate(EXPONENT)}"


def seconds(time):
    return f"{time:.1f} s" if time < 100 else f"{time:.0f} s"


def row(program, tables, length):
    output, solved, memory = run(
        program, "draws", str(length), "--engine", "symbolic", "--threads", "2", "--json"
    )
    line = json.loads(output)
    size = os.path.getsize(os.path.join(tables, f"strip-{length}-wdl.phut"))
    _, verified, _ = run(program, "verify", str(length), "--tables", tables, "--threads", "2")
    columns = [
        length,
        rounded(int(line["positions"])),
        line["levels"],
        line["sweeps"],
        f"{line['nodes']:,}",
        f"{line['peak_nodes']:,}",
        f"{memory / 1e6:,.0f} MB",
        seconds(solved),
        f"{size:,}",
        seconds(verified),
    ]
    return "| " + " | ".join(map(str, columns)) + " |"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, tables, *lengths = sys.argv[1:]
    print("| n | positions | levels | sweeps | nodes | most nodes | memory | time | table, bytes | verify |")
    print("|---:" * 10 + "|")
    for length in lengths:
        print(row(program, tables, int(length)), flush=True)


if __name__ == "__main__":
    main()
