"""Which problems of a set have a verifier that cannot be believed: the reference fails, or an empty answer passes.

Every verdict on such a problem is noise or a gift, so a person checks a set of their own before a night is spent on it.
"""

import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import ConfigError

VERIFIERS = {
    "code": "evotrainer.domains.code.grading.reference:weakness_of",
    "swe": "evotrainer.domains.swe.grading.reference:weakness_of",
}
"""By domain, what takes a row and says in a few words what is weak about it, or None."""


@dataclass(frozen=True)
class WeakProblem:
    """A problem whose verdicts mean nothing, and why."""

    row_id: str
    reason: str
    place: str
    """file:line"""


def weak_problems(rows: Iterable[Row], domain: str) -> Iterator[WeakProblem]:
    """Yield the weak problems among the rows; raises ConfigError for a domain whose sets cannot be verified."""
    if domain not in VERIFIERS:
        raise ConfigError(f"problems of '{domain}' cannot be verified: choose one of {', '.join(VERIFIERS)}")
    module, name = VERIFIERS[domain].split(":")
    weakness_of = getattr(importlib.import_module(module), name)
    for row in rows:
        if (reason := weakness_of(row)) is not None:
            yield WeakProblem(row.row_id, reason, row.place)
