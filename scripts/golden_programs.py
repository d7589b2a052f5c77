"""Runs what golden.py compares: the program, its server, and the Python module."""

import contextlib
import json
import os
import re
import subprocess
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

PATIENCE = 120  # seconds for one answer of the server, and for one command

# Answers calls of the Python module, one JSON array per line: a name and its arguments.
PYTHON_CLIENT = r"""
import hashlib, json, sys
import phutbase
tables = phutbase.Tablebase()
FIELDS = "game position side value depth winner backward_turns nimber reason".split()

def fields(thing, names):
    return {name: getattr(thing, name) for name in names if hasattr(thing, name)}

def turns(moves):
    return [fields(move, ("move", "position", "value", "depth")) for move in moves]

def answer(name, *arguments, **options):
    if name == "probe":
        found = tables.probe(*arguments)
        return dict(fields(found, FIELDS[:-1]), turns=turns(found.turns))
    if name == "line":
        found = tables.probe(*arguments)
        answer = dict(fields(found, FIELDS[:-1]), turns=turns(found.turns))
        return dict(answer, line=turns(found.line()))
    if name == "probe_many":
        outcomes, depths = tables.probe_many(*arguments)
        return [
            {"outcome": outcome if outcome >= -1 else None, "depth": depth or None}
            for outcome, depth in zip(outcomes.tolist(), depths.tolist())
        ]
    if name == "find":
        count, listed = tables.find(*arguments, **options)
        return {"count": count, "listed": listed}
    if name == "counts":
        found = tables.stats(*arguments)
        names = ("positions", "wins", "losses", "draws", "longest_win", "longest_loss")
        return fields(found, names)
    if name == "values":
        outcomes, depths = tables.values(*arguments)
        def sum_of(array):
            return hashlib.sha256(array.tobytes()).hexdigest()
        return {"shape": outcomes.shape, "outcomes": sum_of(outcomes), "depths": sum_of(depths)}
    if name == "moves":
        return [fields(move, ("move", "position")) for move in phutbase.turns(*arguments)]
    return getattr(phutbase, name)(*arguments)

for line in sys.stdin:
    name, arguments, options = json.loads(line)
    try:
        result = answer(name, *arguments, **options)
    except phutbase.PhutbaseError as error:
        result = {"error": type(error).__name__ + ": " + str(error)}
    print(json.dumps(result))
"""


class ProgramError(Exception):
    """A program does not run, or its output cannot be read."""


class Programs:
    """The programs under test. Only the tables that they contain are found."""

    def __init__(self, program, python=None):
        self.program, self.python = os.path.abspath(program), python and self._command(python)

    def __enter__(self):
        self._directory = tempfile.TemporaryDirectory()
        self.directory = self._directory.name
        self.environment = {name: value for name, value in os.environ.items() if name != "PHUTBASE_TABLES"}
        self.environment["XDG_DATA_HOME"] = self.directory
        return self

    def __exit__(self, *raised):
        self._directory.cleanup()

    @staticmethod
    def _command(name):
        return os.path.abspath(name) if os.sep in name else name

    def _run(self, command, text):
        try:
            return subprocess.run(
                command,
                input=text,
                capture_output=True,
                encoding="utf-8",
                cwd=self.directory,
                env=self.environment,
                timeout=PATIENCE,
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
            raise ProgramError("%s: %s" % (command[0], error))

    def run(self, arguments, text=""):
        """Returns the exit status and standard output of the program."""
        ended = self._run([self.program, *arguments], text)
        return {"status": ended.returncode, "output": ended.stdout}

    def session(self, arguments, lines):
        """Returns the output of a session of `phutbase ugi`; waits for the turn after each `go`."""
        command = [self.program, *arguments]
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            cwd=self.directory,
            env=self.environment,
        ) as engine:
            alarm = threading.Timer(PATIENCE, engine.kill)
            alarm.start()
            output = []
            try:
                for line in lines:
                    engine.stdin.write(line + "\n")
                    engine.stdin.flush()
                    while line.startswith("go ") and not (output and output[-1].startswith("bestmove")):
                        output.append(engine.stdout.readline())
                        if not output[-1]:
                            raise ProgramError("%s: no turn after '%s'" % (command[0], line))
                    if line.startswith("go "):
                        output.append("")  # the next `go` waits for a turn of its own
                engine.stdin.close()
                output.append(engine.stdout.read())
                status = engine.wait()
            except OSError as error:
                raise ProgramError("%s: %s" % (command[0], error))
            finally:
                alarm.cancel()
                if engine.poll() is None:
                    engine.kill()
        return {"status": status, "output": "".join(output)}

    def batch(self, positions, rules):
        """Returns the answers to positions, in order."""
        arguments = ["probe", "--batch", "-", "--rules", rules]
        ended = self._run([self.program, *arguments], "\n".join(positions) + "\n")
        lines = ended.stdout.splitlines()
        if len(lines) != len(positions):
            message = ended.stderr.strip().splitlines()[-1:] or ["no error"]
            raise ProgramError(
                "%s: %d answers to %d positions; %s" % (self.program, len(lines), len(positions), message[0])
            )
        return [json.loads(line) for line in lines]

    def call(self, calls):
        """Returns the answers of the Python module, one JSON text per call."""
        lines = "".join(json.dumps(call) + "\n" for call in calls)
        ended = self._run([self.python, "-c", PYTHON_CLIENT], lines)
        answers = ended.stdout.splitlines()
        if ended.returncode or len(answers) != len(calls):
            raise ProgramError("%s: %s" % (self.python, ended.stderr.strip() or "too few answers"))
        return answers

    @contextlib.contextmanager
    def server(self):
        """Starts the server and returns a function that asks it."""
        with open(os.path.join(self.directory, "serve.log"), "w+b") as log:
            server = subprocess.Popen(
                [self.program, "serve", "--port", "0"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self.directory,
                env=self.environment,
            )
            try:
                found = re.search(rb"http://[0-9.:]+", server.stdout.readline())
                if not found:
                    log.seek(0)
                    raise ProgramError("%s serve: %s" % (self.program, log.read().decode(errors="replace")))
                yield lambda *request: self._ask(found.group().decode(), *request)
            finally:
                server.terminate()
                server.communicate()

    @staticmethod
    def _ask(address, path, query, body=None):
        """Returns the HTTP status and the body of an answer."""
        url = address + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(url)
        if body is not None:
            kind = "application/json" if body.startswith("{") else "text/plain"
            request.data = body.encode()
            request.add_header("Content-Type", kind)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=PATIENCE) as answer:
                return {"status": answer.status, "output": answer.read().decode()}
        except urllib.error.HTTPError as error:
            return {"status": error.code, "output": error.read().decode()}
        except OSError as error:
            raise ProgramError("%s: %s" % (path, error))
