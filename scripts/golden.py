#!/usr/bin/env python3
"""Holds a program to recorded answers: values of strips, and outputs of every interface.

    golden.py record PROGRAM DIRECTORY [--python PYTHON]   write values.xz and outputs.xz
    golden.py check PROGRAM DIRECTORY [--python PYTHON]    compare the answers of PROGRAM
    golden.py check PROGRAM DIRECTORY --mutate             also change the record: each change must be refused

PROGRAM is a phutbase. PYTHON is an interpreter with the package phutbase, which has cases of its own.

The values are those of about 90,000 strips of 3 to 144 squares, which golden_positions.py produces;
only the values are stored. The outputs are those of golden_cases.py. They are parsed, and
golden_comparison.py names every field and line that is not compared.

Exit codes: 0; 1 if an answer differs, or a changed record is accepted; 2 for bad usage; 3 if a
program or a file cannot be read.
"""

import argparse
import json
import lzma
import os
import resource
import sys

import golden_cases
import golden_values
from golden_comparison import Comparison, unread_lines
from golden_mutations import mutations
from golden_parsing import Choice, parse
from golden_programs import ProgramError, Programs

FILES = VALUES, OUTPUTS = "values.xz", "outputs.xz"
SHOWN = 20  # differences
SAMPLE = 20  # every 20th value is changed with --mutate
VALUE_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0}]


def main():
    arguments = parsed_arguments()
    try:
        with Programs(arguments.program, arguments.python) as programs:
            work = record if arguments.mode == "record" else check
            sys.exit(work(programs, arguments))
    except (ProgramError, OSError, ValueError, lzma.LZMAError) as error:
        print("golden.py: %s" % error, file=sys.stderr)
        sys.exit(3)


def parsed_arguments():
    parser = argparse.ArgumentParser(usage="\n".join(__doc__.splitlines()[2:5]).strip())
    parser.add_argument("mode", choices=("record", "check"))
    parser.add_argument("program")
    parser.add_argument("directory")
    parser.add_argument("--python")
    parser.add_argument("--mutate", action="store_true")
    arguments = parser.parse_args()
    if arguments.mutate and arguments.mode == "record":
        parser.error("--mutate only applies to check")
    return arguments


def seconds():
    """Returns the processor time of this process and of the programs that it ran."""
    used = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(of.ru_utime + of.ru_stime for of in used)


# --- Record ---------------------------------------------------------------------------------------


def record(programs, arguments):
    texts = golden_values.all_positions()
    values = golden_values.asked(programs, texts)
    head, data = golden_values.packed(texts, values)
    wanted = golden_cases.cases() + (list(golden_cases.python_calls()) if arguments.python else [])
    outputs, trees = [], []
    for (kind, name, question), answer in zip(wanted, golden_cases.answers(programs, wanted)):
        outputs.append({"kind": kind, "name": name, "question": question, **answer})
        trees.append(parse(kind, answer["output"], question))
    unread = {line for tree in trees for line in unread_lines(tree)}
    if unread:
        raise ValueError("lines that are neither compared nor ignored: %s" % sorted(unread)[:SHOWN])
    best = best_turns(programs, {choice.at for tree in trees for choice in choices(tree)})
    os.makedirs(arguments.directory, exist_ok=True)
    write(arguments, VALUES, json.dumps(head).encode() + b"\n" + data, VALUE_FILTERS)
    write(arguments, OUTPUTS, json.dumps({"best": best, "outputs": outputs}).encode(), None)
    print(describe(values, outputs))
    for name in FILES:
        print("%s: %d bytes" % (name, os.path.getsize(os.path.join(arguments.directory, name))))
    return 0


def write(arguments, name, data, filters):
    preset = None if filters else 9 | lzma.PRESET_EXTREME
    packed = lzma.compress(data, preset=preset, filters=filters)
    with open(os.path.join(arguments.directory, name), "wb") as file:
        file.write(packed)


def choices(tree):
    """Yields the turns that a program chose."""
    if isinstance(tree, Choice):
        yield tree
    elif isinstance(tree, (dict, list)):
        for child in tree.values() if isinstance(tree, dict) else tree:
            yield from choices(child)


def best_turns(programs, places):
    """Returns the turns of the highest value in each position; plies count where all are known."""
    best = {}
    for place in sorted(places):
        position, _, rules = place.partition(" directional")
        rules = "directional" if place != position else "ordinary"
        answer = json.loads(programs.run(["probe", "--json", "--rules", rules, position])["output"])
        moves = answer["turns"]
        first = moves[0]
        best_moves = [move for move in moves if move["value"] == first["value"]]
        if all(move["depth"] is not None for move in best_moves):
            best_moves = [move for move in best_moves if move["depth"] == first["depth"]]
        best[place] = [move["move"] for move in best_moves]
    return best


def describe(values, outputs):
    undecided = sum(of.outcomes.count(golden_values.UNDECIDED) for of in values)
    known = sum(len(of.plies) - of.plies.count(golden_values.UNKNOWN) for of in values)
    count = sum(len(of.outcomes) for of in values)
    return "%d values, %d of them with plies, %d undecided; %d outputs" % (count, known, undecided, len(outputs))


# --- Check ----------------------------------------------------------------------------------------


def check(programs, arguments):
    texts = golden_values.all_positions()
    head, _, data = read(arguments, VALUES).partition(b"\n")
    recorded_values = golden_values.unpacked(texts, json.loads(head), data)
    stored = json.loads(read(arguments, OUTPUTS))
    outputs = [output for output in stored["outputs"] if arguments.python or output["kind"] != "python"]
    if arguments.python and not any(output["kind"] == "python" for output in outputs):
        raise ValueError("%s has no outputs of the Python module; record them with --python" % OUTPUTS)

    values = golden_values.asked(programs, texts)
    wanted = [(output["kind"], output["name"], output["question"]) for output in outputs]
    answers = golden_cases.answers(programs, wanted)

    comparison = Comparison(stored["best"])
    compared = [Output(output, answer) for output, answer in zip(outputs, answers)]
    found = [line for group in zip(texts, recorded_values, values) for line in golden_values.differences(*group)]
    for output in compared:
        found += ["%s: %s" % (output.name, line) for line in output.differences(comparison)]
    for line in found[:SHOWN]:
        print(line)
    if len(found) > SHOWN:
        print("... %d more" % (len(found) - SHOWN))
    print(describe(recorded_values, outputs) + "; %d differences; %.1f s" % (len(found), seconds()))
    if found or not arguments.mutate:
        return 1 if found else 0
    return check_mutants(texts, recorded_values, values, compared, comparison)


def read(arguments, name):
    with lzma.open(os.path.join(arguments.directory, name)) as file:
        return file.read()


class Output:
    """A recorded output and that of the program under test, parsed."""

    def __init__(self, output, answer):
        self.name, kind, question = output["name"], output["kind"], output["question"]
        self.recorded, self.found = [
            {"status": of["status"], "output": parse(kind, of["output"], question)} for of in (output, answer)
        ]

    def differences(self, comparison):
        return comparison.differences(self.recorded, self.found)


def check_mutants(texts, recorded_values, values, compared, comparison):
    """Changes the record in one place after the other; returns 1 if a change goes unnoticed."""
    accepted, counts = [], {"values": 0, "outputs": 0}
    for group in zip(texts, recorded_values, values):
        for place, is_refused in golden_values.mutants(*group, SAMPLE):
            counts["values"] += 1
            if not is_refused:
                accepted.append(place)
    for output in compared:
        for place in mutations(output.recorded, comparison.best):
            counts["outputs"] += 1
            if not any(output.differences(comparison)):
                accepted.append(output.name + ": " + place)
    for place in accepted[:SHOWN]:
        print("accepted a wrong record: " + place)
    total = sum(counts.values())
    print(
        "refused %d of %d changes of the record: %d of values, %d of outputs"
        % (total - len(accepted), total, counts["values"], counts["outputs"])
    )
    return 1 if accepted else 0


if __name__ == "__main__":
    main()
