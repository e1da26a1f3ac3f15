"""Held problems whose facts are those of a training problem, in whatever language or words they are told.

The numbers of a problem survive translation, and so do most proper names. Two problems share their facts where they
have the same numbers, in any order; where templates with few numbers meet by themselves, a name must be the same too.
How often two training problems with as many numbers share theirs tells chance: held problems must do so more often.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

import scipy

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][^\W\d_]{2,}")
_MAX_CHARS = 4000
_MIN_NUMBERS, _MIN_DIGITS = 2, 4
"""Numbers, and digits of all of them, from which they can tell problems apart."""
_SURPRISING = 1e-6

Numbers = tuple[str, ...]
Signs = set[tuple[Numbers, str]]
"""What problems have in common where they share facts: the numbers, with a name or without."""


def same_facts(trained: Mapping[str, str], held: Mapping[str, str]) -> dict[str, str]:
    """Return {held problem: a training problem with its facts}, both given as {problem: prompt}.

    Nothing where problems share facts by chance.
    """
    for has_name in (False, True):
        found = _matches(_signs(trained, has_name), _signs(held, has_name))
        if found:
            return found
    return {}


def _matches(trained: Mapping[str, Signs], held: Mapping[str, Signs]) -> dict[str, str]:
    holders: dict[tuple[Numbers, str], list[str]] = defaultdict(list)
    for name, signs in trained.items():
        for sign in signs:
            holders[sign].append(name)
    found = {
        name: min(twins)
        for name, signs in held.items()
        if (twins := [holders[sign][0] for sign in signs & holders.keys()])
    }
    count, shared = Counter(map(_size, trained.values())), Counter[int]()
    for signs in trained.values():
        shared[_size(signs)] += any(len(holders[sign]) > 1 for sign in signs)
    chances = [(shared[size] + 1) / (count[size] + 2) for size in map(_size, held.values())]
    if not found:
        return {}
    chance = scipy.stats.binom.sf(len(found) - 1, len(held), sum(chances) / len(chances))
    return found if chance < _SURPRISING else {}


def _size(signs: Signs) -> int:
    return len(next(iter(signs))[0])


def _signs(prompts: Mapping[str, str], has_name: bool) -> dict[str, Signs]:
    """Return the signs of the problems that have enough numbers, of each text once."""
    found: dict[str, Signs] = {}
    for text, name in {text: name for name, text in prompts.items()}.items():
        numbers = tuple(sorted(_NUMBER.findall(text[:_MAX_CHARS])))
        if len(numbers) >= _MIN_NUMBERS and sum(map(len, numbers)) >= _MIN_DIGITS:
            signs = {(numbers, sign) for sign in (_NAME.findall(text[:_MAX_CHARS]) if has_name else [""])}
            if signs:
                found[name] = signs
    return found
