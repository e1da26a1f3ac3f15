"""Which problems have nearly the same text, whatever split, label or id they carry.

Two texts are near-duplicates when the Jaccard similarity of their word 3-shingles reaches `LIMIT`: case, spacing and a
few changed words in a long text do not matter; numbers count as words. Only texts that share one of their rarest
shingles can be so similar (prefix filtering, Chaudhuri et al. 2006; Bayardo et al. 2007), so only those are compared.
Meant for texts of a sentence or more.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

LIMIT = 0.8
SHINGLE_WORDS = 3
ROUNDING = 1e-9

_WORD = re.compile(r"\w+|[^\w\s]")


def ngrams(text: str, length: int) -> frozenset[str]:
    """Return the runs of `length` words and signs of a text, lower case; none of a shorter one."""
    parts = _WORD.findall(text.lower())
    return frozenset(" ".join(parts[start : start + length]) for start in range(len(parts) - length + 1))


def shingles(text: str) -> frozenset[str]:
    """Return the word 3-shingles of a text; a shorter text is one shingle."""
    return ngrams(text, SHINGLE_WORDS) or frozenset([" ".join(_WORD.findall(text.lower()))])


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of shingles that both have."""
    return len(left & right) / len(left | right)


class _Index:
    """Sets of shingles that were added, and which of them are near-duplicates of another set."""

    def __init__(self, sets: Iterable[frozenset[str]], limit: float) -> None:
        """`sets`: all that will be added or asked for."""
        self._frequency = Counter(shingle for shingle_set in sets for shingle in shingle_set)
        self._limit, self._added = limit, list[frozenset[str]]()
        self._holders: dict[str, list[int]] = defaultdict(list)

    def add(self, shingle_set: frozenset[str]) -> None:
        for shingle in self._rarest(shingle_set):
            self._holders[shingle].append(len(self._added))
        self._added.append(shingle_set)

    def near(self, shingle_set: frozenset[str]) -> list[tuple[int, float]]:
        """Return (place, similarity) of the near-duplicates, in the order in which they were added."""
        places = sorted({place for shingle in self._rarest(shingle_set) for place in self._holders[shingle]})
        scored = [(place, jaccard(self._added[place], shingle_set)) for place in places]
        return [(place, score) for place, score in scored if score >= self._limit]

    def _rarest(self, shingle_set: frozenset[str]) -> list[str]:
        """The rarest shingles, as many that a set which has none of them shares too few of the rest."""
        count = len(shingle_set) - math.ceil(self._limit * len(shingle_set) - ROUNDING) + 1
        return sorted(shingle_set, key=lambda shingle: (self._frequency[shingle], shingle))[:count]


def similar_pairs(texts: Sequence[str], limit: float = LIMIT) -> list[tuple[int, int]]:
    """Return pairs (i, j), i < j, of near-duplicates; the same text again is paired with the first one alone."""
    sets = [shingles(text) for text in texts]
    index, first_of = _Index(sets, limit), dict[frozenset[str], int]()
    pairs, places = list[tuple[int, int]](), list[int]()
    for own, shingle_set in enumerate(sets):
        if shingle_set in first_of:
            pairs.append((first_of[shingle_set], own))
        else:
            pairs += [(places[place], own) for place, _ in index.near(shingle_set)]
            first_of[shingle_set] = own
            index.add(shingle_set)
            places.append(own)
    return pairs


def nearest(texts: Sequence[str], known: Sequence[str], limit: float = LIMIT) -> list[tuple[int, float] | None]:
    """Return for each text the place and similarity of the known text most like it, None where none reaches `limit`."""
    own, others = [shingles(text) for text in texts], [shingles(text) for text in known]
    index = _Index([*own, *others], limit)
    for other in others:
        index.add(other)
    return [max(index.near(one), key=lambda found: (found[1], -found[0]), default=None) for one in own]
