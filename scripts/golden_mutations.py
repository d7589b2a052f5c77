"""Changes recorded outputs one field at a time. The comparison must refuse every change."""

import copy

from golden_comparison import is_compared
from golden_parsing import Choice

ALL_OF = 8  # children of a list or a dict of turns; of longer ones, a sample of about as many
OTHER_WORDS = {"win": "loss", "loss": "win", "left": "right", "right": "left", "Left": "Right", "Right": "Left"}


def mutations(tree, best):
    """Changes a tree, yields the place, and takes the change back, for one field after the other."""
    yield from _below({"": tree}, "", tree, best, "")


def _sample(places):
    places = list(places)
    if len(places) <= ALL_OF:
        return places
    step = -(-(len(places) - 2) // (ALL_OF - 2))
    return places[:-1:step] + places[-1:]


def _below(parent, key, node, best, path):
    if isinstance(node, Choice):
        known = best.get(node.at)
        best[node.at] = ["o9999"]
        yield path
        best[node.at] = known
        if known is None:
            del best[node.at]
    elif isinstance(node, dict):
        names = [name for name in node if is_compared(name)]
        for name in _sample(names) if path.endswith("turns") else names:
            yield from _below(node, name, node[name], best, "%s.%s" % (path, name))
        if path.endswith("turns"):
            node["o9999"] = {"value": "win"}
            yield path + ", one more"
            del node["o9999"]
    elif isinstance(node, list):
        for place in _sample(range(len(node))):
            yield from _below(node, place, node[place], best, "%s[%d]" % (path, place))
        node.append(copy.deepcopy(node[-1]) if node else 0)
        yield path + ", one more"
        node.pop()
    else:
        parent[key] = _changed(node)
        yield path
        parent[key] = node


def _changed(scalar):
    """Returns a wrong value that looks right: a number keeps its parity."""
    if isinstance(scalar, bool):
        return not scalar
    if isinstance(scalar, (int, float)):
        return scalar + 2
    if scalar is None:
        return 9998
    return OTHER_WORDS.get(scalar, scalar + "?")
