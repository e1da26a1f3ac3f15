"""Near-duplicates among texts, found in less than quadratic time.

Two texts are near-duplicates when the Jaccard similarity of their word 3-shingles reaches `LIMIT`: case, spacing and a
few changed words do not matter; numbers count as words. Candidates come from MinHash signatures cut into bands (Broder
1997), each is then confirmed exactly, so there is no false report; a pair at the limit is missed with chance 2e-4.
Meant for texts of a sentence or more; the built-in families, whose problems differ by one digit, have canonical forms.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

LIMIT = 0.8
SHINGLE_WORDS = 3
NUM_BANDS, BAND_ROWS = 16, 4

_WORD = re.compile(r"\w+|[^\w\s]")


def shingles(text: str) -> frozenset[str]:
    """Return the word 3-shingles of `text`, lower case; a shorter text is one shingle."""
    words = _WORD.findall(text.lower())
    count = max(1, len(words) - SHINGLE_WORDS + 1)
    return frozenset(" ".join(words[start : start + SHINGLE_WORDS]) for start in range(count))


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of shingles that both have."""
    return len(left & right) / len(left | right)


def _signatures(sets: Sequence[frozenset[str]]) -> np.ndarray:
    """MinHash signatures: N texts x R = bands * rows."""
    rng = np.random.default_rng(0)
    factors_R = rng.integers(0, 2**63, NUM_BANDS * BAND_ROWS, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    rows = np.empty((len(sets), len(factors_R)), dtype=np.uint64)
    for index, shingle_set in enumerate(sets):
        digests = [hashlib.blake2b(shingle.encode(), digest_size=8).digest() for shingle in shingle_set]
        hashes_S = np.frombuffer(b"".join(digests), dtype=np.uint64)
        mixed_SR = hashes_S[:, None] * factors_R[None, :]
        rows[index] = (mixed_SR ^ (mixed_SR >> np.uint64(29))).min(axis=0)
    return rows


def similar_pairs(texts: Sequence[str], limit: float = LIMIT) -> list[tuple[int, int]]:
    """Return pairs (i, j), i < j, of near-duplicates: enough of them to join each cluster of near-duplicates."""
    sets = [shingles(text) for text in texts]
    clusters = list(range(len(texts)))
    pairs = []
    for members in _candidate_buckets(sets):
        for place, later in enumerate(members):
            for earlier in members[:place]:
                if _root(clusters, earlier) == _root(clusters, later):
                    continue
                if jaccard(sets[earlier], sets[later]) >= limit:
                    pairs.append((earlier, later))
                    clusters[_root(clusters, later)] = _root(clusters, earlier)
    return sorted(pairs)


def cluster_roots(count: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each of `count` items the smallest index of its cluster."""
    clusters = list(range(count))
    for left, right in pairs:
        low, high = sorted((_root(clusters, left), _root(clusters, right)))
        clusters[high] = low
    return [_root(clusters, index) for index in range(count)]


def _candidate_buckets(sets: Sequence[frozenset[str]]) -> list[list[int]]:
    """Groups of texts that share one band of their signatures."""
    bands_NB = _signatures(sets).reshape(len(sets), NUM_BANDS, BAND_ROWS)
    buckets: dict[tuple[int, bytes], list[int]] = defaultdict(list)
    for index, bands in enumerate(bands_NB):
        for band, values in enumerate(bands):
            buckets[band, values.tobytes()].append(index)
    return [members for members in buckets.values() if len(members) > 1]


def _root(clusters: list[int], index: int) -> int:
    while clusters[index] != index:
        clusters[index] = clusters[clusters[index]]
        index = clusters[index]
    return index
