"""The solution of crates/solution/solution.txt, read without the program: states of words, who wins, and
quantities that follow. The first lines of that file explain its format."""

import re
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "crates/solution/solution.txt"
START = ("0:", 0, ())  # the state of the empty word
TYPES = "abcdyefghzzijkbla"
# These types behave like the one of the same letter with a potential one higher.
RAISED = (10, 14, 16)


def guard(text):
    """Returns the counter that a guard names, and its least and greatest value."""
    name, sign, least, greatest = re.fullmatch(r"(s|b\d)(=|>=|<=)(\d+)(?:\.\.(\d+))?", text).groups()
    least, greatest = int(least), int(greatest or least)
    return name, (0 if sign == "<=" else least), (10**9 if sign == ">=" else greatest)


def cases(text):
    """Returns guarded numbers; a number alone has no guard."""
    if ":" not in text:
        return [([], int(text))]
    return [([guard(part.split(":")[0])], int(part.split(":")[1])) for part in text.split()]


class Solution:
    def __init__(self):
        self.least, self.constant, self.kind, self.steps, self.winners = {}, {}, {}, {}, {0: [], -1: []}
        for line in FILE.read_text().splitlines():
            words = line.split()
            if words[0] == "F":
                constant, kind = line.split(" c ")[1].split(" type ")
                self.least[words[1]], self.constant[words[1]], self.kind[words[1]] = int(words[2]), cases(constant), cases(kind)
            elif words[0] == "S":
                colon = words.index(":")
                guards = [guard(word) for word in words[3:colon] if word != "-"]
                blocks = [(re.findall(r"b\d", word), int(re.sub(r"b\d(\+b\d)?", "", word) or 0)) for word in words[colon + 3 :]]
                to = (guards, words[colon + 1], int(words[colon + 2]), blocks)
                self.steps.setdefault((words[1], words[2]), []).append(to)
            elif words[0] == "M":
                self.winners[int(words[1])].append([bit == "1" for bit in words[3]])

    def counters(self, state):
        family, k, blocks = state
        return {"s": k - sum(blocks) - self.least[family], **{"b%d" % i: b for i, b in enumerate(blocks)}}

    def chosen(self, state, table):
        values = self.counters(state)
        return next(row for row in table if all(least <= values[name] <= greatest for name, least, greatest in row[0]))

    def step(self, state, letter):
        _, family, more, blocks = self.chosen(state, self.steps[state[0], letter])
        values = self.counters(state)
        return family, state[1] + more, tuple(sum(values[name] for name in names) + add for names, add in blocks)

    def state(self, word, state=START):
        for letter in word:
            state = self.step(state, letter)
        return state

    def value(self, state):
        """Returns the potential and the letter of the type."""
        if state == START:
            return 0, "b"
        kind = self.chosen(state, self.kind[state[0]])[1]
        return state[1] + self.chosen(state, self.constant[state[0]])[1] + (kind in RAISED), TYPES[kind]

    def wins(self, g, h):
        """Left to move wins a board whose halves have these values."""
        lead = g[0] - h[0]
        return lead >= 1 or lead >= -1 and self.winners[lead][TYPES.index(g[1])][TYPES.index(h[1])]

    def stationary(self):
        """Returns the probabilities of the values of a random word, as found by 400 letters."""
        return of_values(stationary(START, self.step), self.value)

    def least_lengths(self, longest):
        """Returns the length of a shortest word of each value; no word is empty."""
        lengths, states = {}, {START}
        for n in range(1, longest + 1):
            states = {self.step(state, letter) for state in states for letter in ".o"}
            for state in states:
                lengths.setdefault(self.value(state), n)
        return lengths

    def potentials(self, squares, lengths, one=False):
        """Returns the largest of the numbers κ(h) ≤ λ(h) ≥ 0, as small as possible, such that on all
        strips of at most this many squares the mover wins exactly if κ(own half) ≤ λ(other half); None if
        there are none. `one` asks for κ = λ.

        Halves of one value win alike, and a shortest one meets all that the others meet.
        """
        values = [value for value, n in lengths.items() if n <= squares - 2]
        own, other = dict.fromkeys(values, 0), dict.fromkeys(values, 0)
        meet = [(g, h, self.wins(g, h)) for g in values for h in values if lengths[g] + 1 + lengths[h] <= squares]
        for _ in range(2 * len(values) + 1):
            before = sum(own.values()) + sum(other.values())
            for g, h, won in meet:
                if won:
                    other[g] = max(other[g], own[h])
                else:
                    own[h] = max(own[h], other[g] + 1)
            for value in values:
                other[value] = max(other[value], own[value])
                if one:
                    own[value] = other[value]
            if before == sum(own.values()) + sum(other.values()):
                return max(other.values())
        return None

    def replaced(self, a):
        """Returns the states after `a` empty squares, and after a+8 of them and U, and the least slack on U."""
        state = self.state("." * (a + 8))
        slack = []
        for letter in U:
            slack.append(self.counters(state)["s"])
            state = self.step(state, letter)
        return self.state("." * a), state, min(slack)


U = "oooo.oo.oo..o...."


def stationary(start, step, letters=400, least=1e-22):
    """Returns states with their probabilities after this many random letters; drops smaller ones on the way."""
    number, states, successors, now = {start: 0}, [start], [], [1.0]
    for _ in range(letters):
        then = [0.0] * len(states)
        for at, probability in enumerate(now):
            if at == len(successors):
                successors.append(None)
            if probability < least:
                continue
            if successors[at] is None:
                successors[at] = [step(states[at], letter) for letter in ".o"]
                for state in successors[at]:
                    if state not in number:
                        number[state] = len(states)
                        states.append(state)
                        then.append(0.0)
                successors[at] = [number[state] for state in successors[at]]
            for to in successors[at]:
                then[to] += probability / 2
        now = then
    return dict(zip(states, now))


def of_values(probabilities, value):
    """Adds the probabilities of the states of each value."""
    found = {}
    for state, probability in probabilities.items():
        found[value(state)] = found.get(value(state), 0) + probability
    return found


def main():
    """Prints the limit of the share of wins, the lengths with an exact potential, and the law of replacement."""
    solved = Solution()
    values = solved.stationary()
    share = sum(p * q for g, p in values.items() for h, q in values.items() if solved.wins(g, h))
    print("share of wins of long strips: %.12f" % share)
    lengths = solved.least_lengths(70)
    longest = next(n for n in range(4, 72) if solved.potentials(n, lengths) is None) - 1
    print("an exact potential exists for at most %d squares" % longest)
    same = [a for a in range(32) if solved.replaced(a)[0] == solved.replaced(a)[1]]
    assert all(solved.replaced(a)[2] >= 4 for a in range(28, 32))
    print("a empty squares win like a+8 of them and U for a = %s, and every fourth a from 28 on like these" % same)


if __name__ == "__main__":
    main()
