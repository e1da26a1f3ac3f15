"""A prefix cache between the turns of an episode: keys and values of contexts, found again by their exact ids.

In an episode of many turns each prompt is the previous context followed by an answer. The keys and values of the part
they share need not be computed again. The store keeps the contexts of one call for the next call. Ids are compared one
by one: an unrelated prompt costs a full pass and is never wrong.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

MAX_BYTES = 2 << 30  # what does not fit is computed again


@dataclass(frozen=True)
class CachedContext:
    """What a row's cache holds of the first n ids of a context: keys [L, H, D, n] and values [L, n, H, D]."""

    keys: np.ndarray
    values: np.ndarray

    @property
    def num_ids(self) -> int:
        """How many ids it stands for."""
        return self.keys.shape[-1]

    @property
    def num_bytes(self) -> int:
        """Bytes of both, with those that a view of a larger array keeps from being freed."""
        return sum(part.shape[0] * part.strides[0] for part in (self.keys, self.values))


@dataclass
class ContextStore:
    """Cached contexts by the ids they stand for, of one state of the weights."""

    num_bytes: int = 0
    _found: dict[tuple[int, ...], CachedContext] = field(default_factory=dict)
    _ordered: list[tuple[int, ...]] | None = None

    def put(self, ids: Sequence[int], context: CachedContext) -> None:
        """Keep the cached context of exactly these ids, if there is room."""
        key = tuple(ids)
        if key not in self._found and self.num_bytes + context.num_bytes <= MAX_BYTES:
            self._found[key] = context
            self.num_bytes += context.num_bytes
            self._ordered = None

    def find(self, prompt: Sequence[int]) -> CachedContext | None:
        """Return the cached context of the longest context that the prompt continues, if there is one."""
        if self._ordered is None:
            self._ordered = sorted(self._found)
        key = tuple(prompt)
        while place := bisect_right(self._ordered, key):
            neighbour = self._ordered[place - 1]  # all contexts that `key` continues are at or before it
            if key[: len(neighbour)] == neighbour:
                return self._found[neighbour]
            key = key[: _num_shared(key, neighbour)]
        return None


def _num_shared(left: Sequence[int], right: Sequence[int]) -> int:
    return next(place for place, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
