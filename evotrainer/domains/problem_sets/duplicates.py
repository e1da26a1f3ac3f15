"""Which problems are the same up to a trivial change, whatever split, label or id they carry.

A prompt in the shape of a built-in family is compared by canonical form (47+38 and 38+47 are one problem, 47+38 and
47+39 are two); any other by the similarity of its text (similarity.py).
"""

from collections.abc import Sequence

from evotrainer.domains import known_domains
from evotrainer.domains.problem_sets.similarity import similar_pairs


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
