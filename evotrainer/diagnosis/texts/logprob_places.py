"""Lists of logprobs of the same tokens, of which one lies a few places beside the other.

Two columns of a row that hold a logprob a token, and as many, agree place by place. Where one agrees with the other
only when it is moved, it is that of other tokens. Probabilities are compared, since one rare token would decide
everything among logprobs. A list that ends in zeros on the side from which it was moved was filled up there: whoever
scores whole sequences leaves one place open, and may know it.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from evotrainer.diagnosis.texts.named import LOGPROBS

_MAX_TOKENS, _MIN_TOKENS, _MIN_OPEN, _CERTAIN = 256, 24, 6, 0.9
"""Tokens that are compared; fewest of them, and of those that were not certain, which alone tell places apart."""
_FURTHEST = 3
_AGREES, _DIFFERS = 0.9, 0.5
"""Correlation from which two lists are of the same tokens, and up to which they are not."""
_MAX_LISTS = 6


def logprob_places(extra: Mapping[str, Any]) -> dict[str, str]:
    """Return `logprob_pair`, two columns with a tab between, and `logprob_move`, by how many places they lie apart.

    Of several pairs it is the first that is moved, else the first; both empty where no two can be compared.
    """
    lists = list(_lists(extra))[:_MAX_LISTS]
    found = [
        (f"{name}\t{other}", move)
        for (name, values), (other, others) in combinations(lists, 2)
        if len(values) == len(others) and (move := _move(values, others)) is not None
    ]
    pair, move = next((one for one in found if one[1]), found[0] if found else ("", None))
    return {"logprob_pair": pair, "logprob_move": "" if move is None else str(move)}


def _lists(extra: Mapping[str, Any]) -> Iterator[tuple[str, np.ndarray]]:
    for name, value in extra.items():
        inner = value.items() if isinstance(value, dict) else [("", value)]
        for key, one in inner:
            while isinstance(one, list) and len(one) == 1 and isinstance(one[0], list):
                one = one[0]
            if isinstance(one, list) and len(one) >= _MIN_TOKENS and LOGPROBS.search(key or name):
                kept = one[:_MAX_TOKENS]
                if all(isinstance(number, int | float) for number in kept):
                    yield f"{name}.{key}" if key else name, np.asarray(kept, float)


def _move(values: np.ndarray, others: np.ndarray) -> int | None:
    """Return by how many places `others` lies to the left of `values`; None where they do not tell."""
    chances, other_chances = (np.exp(np.minimum(part, 0.0)) for part in (values, others))
    if min((part < _CERTAIN).sum() for part in (chances, other_chances)) < _MIN_OPEN:
        return None
    at_place = _correlation(chances, other_chances)
    if at_place > _DIFFERS:
        return 0 if at_place >= _AGREES else None
    for move in range(1, _FURTHEST + 1):
        if _correlation(chances[move:], other_chances[:-move]) >= _AGREES:
            return move if others[-move:].any() and values[:move].any() else None
        if _correlation(chances[:-move], other_chances[move:]) >= _AGREES:
            return -move if others[:move].any() and values[-move:].any() else None
    return None


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 0 else 0.0
