"""Which problems of a set have a verifier that cannot be believed: the reference fails, or an empty answer passes.

Problems whose tests cannot run (a repository that does not open, a patch that does not fit, a test that is not there or
never ends) are told apart from those whose tests run and that the reference itself does not solve: the first need
another environment, the second no policy can solve. Every verdict on such a problem is noise or a gift, so a person
checks a set of their own before a night is spent on it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import ConfigError


@dataclass(frozen=True)
class WeakProblem:
    """A problem whose verdicts mean nothing, and why."""

    row_id: str
    kind: str
    reason: str
    place: str
    """file:line"""


def weak_problems(rows: Iterable[Row], domain: str) -> Iterator[WeakProblem]:
    """Yield the weak problems among the rows; raises ConfigError for a domain whose sets cannot be verified."""
    weakness_of = find_domain(domain).weakness_of
    if weakness_of is None:
        raise ConfigError(f"problems of '{domain}' cannot be verified: they have no tests to run")
    for row in rows:
        if (found := weakness_of(row)) is not None:
            yield WeakProblem(row.row_id, found.kind.value, found.reason, row.place)
