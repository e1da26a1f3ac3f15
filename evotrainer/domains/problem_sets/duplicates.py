"""Which problems are the same up to a trivial change, whatever split, label or id they carry.

A prompt in the shape of a built-in family is compared by canonical form (47+38 and 38+47 are one problem, 47+38 and
47+39 are two); any other by the similarity of its text, exactly and in less than quadratic time.

Two texts are near-duplicates when the Jaccard similarity of their word 3-shingles reaches `LIMIT`: case, spacing and a
few changed words in a long text do not matter; numbers count as words. Only texts that share one of their rarest
shingles can be so similar (prefix filtering, Chaudhuri et al. 2006; Bayardo et al. 2007), so only those are compared.
Meant for texts of a sentence or more.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from evotrainer.domains import known_domains

LIMIT = 0.8
SHINGLE_WORDS = 3
ROUNDING = 1e-9

_WORD = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> list[str]:
    """Return the words and signs of a text, lower case."""
    return _WORD.findall(text.lower())


def shingles(text: str) -> frozenset[str]:
    """Return the word 3-shingles of `text`, lower case; a shorter text is one shingle."""
    parts = words(text)
    count = max(1, len(parts) - SHINGLE_WORDS + 1)
    return frozenset(" ".join(parts[start : start + SHINGLE_WORDS]) for start in range(count))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of shingles that both have."""
    return len(left & right) / len(left | right)


def similar_pairs(texts: Sequence[str], limit: float = LIMIT) -> list[tuple[int, int]]:
    """Return pairs (i, j), i < j, of near-duplicates: as many as join each cluster of near-duplicates, no more."""
    sets = [shingles(text) for text in texts]
    frequency = Counter(shingle for shingle_set in sets for shingle in shingle_set)
    holders: dict[str, list[int]] = defaultdict(list)
    first_of: dict[frozenset[str], int] = {}
    clusters, pairs = list(range(len(texts))), []
    for index, own in enumerate(sets):
        if own in first_of:
            _join(clusters, pairs, first_of[own], index)
            continue
        first_of[own] = index
        prefix = _rarest(own, frequency, limit)
        for other in sorted({holder for shingle in prefix for holder in holders[shingle]}):
            if _root(clusters, other) != _root(clusters, index) and jaccard(sets[other], own) >= limit:
                _join(clusters, pairs, other, index)
        for shingle in prefix:
            holders[shingle].append(index)
    return pairs


def nearest(texts: Sequence[str], known: Sequence[str], limit: float = LIMIT) -> list[tuple[int, float] | None]:
    """Return for each text the place and similarity of the known text most like it, None where none reaches `limit`."""
    own, others = [shingles(text) for text in texts], [shingles(text) for text in known]
    frequency = Counter(shingle for shingle_set in (*own, *others) for shingle in shingle_set)
    holders: dict[str, set[int]] = defaultdict(set)
    for index, other in enumerate(others):
        for shingle in _rarest(other, frequency, limit):
            holders[shingle].add(index)
    found: list[tuple[int, float] | None] = []
    for shingle_set in own:
        places = {place for shingle in _rarest(shingle_set, frequency, limit) for place in holders[shingle]}
        scored = [(-jaccard(others[place], shingle_set), place) for place in places]
        best = min(scored, default=(0.0, -1))
        found.append((best[1], -best[0]) if -best[0] >= limit else None)
    return found


def cluster_roots(count: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each of `count` items the smallest index of its cluster."""
    clusters = list(range(count))
    for left, right in pairs:
        _join(clusters, [], left, right)
    return [_root(clusters, index) for index in range(count)]


def _rarest(shingle_set: frozenset[str], frequency: Counter[str], limit: float) -> list[str]:
    """The rarest shingles, as many that a set which has none of them shares too few of the rest."""
    count = len(shingle_set) - math.ceil(limit * len(shingle_set) - ROUNDING) + 1
    return sorted(shingle_set, key=lambda shingle: (frequency[shingle], shingle))[:count]


def _join(clusters: list[int], pairs: list[tuple[int, int]], left: int, right: int) -> None:
    pairs.append((left, right))
    low, high = sorted((_root(clusters, left), _root(clusters, right)))
    clusters[high] = low


def _root(clusters: list[int], index: int) -> int:
    while clusters[index] != index:
        clusters[index] = clusters[clusters[index]]
        index = clusters[index]
    return index


def canonical_form(prompt: str) -> str | None:
    """Return the form that all trivial variants of a prompt share; None for a text in the shape of no family."""
    return next((form for domain in known_domains() if (form := domain.canonical_form(prompt)) is not None), None)


def duplicate_pairs(prompts: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return (i, j, reason), i < j, of duplicates: as many as join each cluster of duplicates."""
    pairs: list[tuple[int, int, str]] = []
    first_of: dict[str, int] = {}
    texts: list[int] = []
    for index, prompt in enumerate(prompts):
        canonical = canonical_form(prompt)
        if canonical is None:
            texts.append(index)
            continue
        first = first_of.setdefault(canonical, index)
        if first != index:
            pairs.append((first, index, "same problem"))
    for left, right in similar_pairs([prompts[index] for index in texts]):
        pairs.append((texts[left], texts[right], "nearly the same text"))
    return pairs
