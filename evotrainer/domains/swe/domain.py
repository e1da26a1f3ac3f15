"""The swe domain: a bug in a repository, mended over several turns with tools, checked by hidden tests.

Two access policies say what an episode may read of a repository's history. A careless clone holds what upstream did
after the problem, the fix among it. Sanitised, that is not there at all.
"""

from evotrainer.config import DomainConfig
from evotrainer.config.factors import Factor
from evotrainer.domains.base import EPISODE_MASK, JUDGE_REWARD, Domain, lazy
from evotrainer.domains.frozen import problem_rows
from evotrainer.records import AccessPolicy

OPEN_HISTORY = AccessPolicy(name="open_history", strictness=0, wording="on open histories")
SANITIZED_HISTORY = AccessPolicy(
    name="sanitized_history",
    strictness=1,
    answers=["history_leak", "access_dependence"],
    wording="on sanitised histories",
)


def is_sanitized(domain: DomainConfig) -> bool:
    """Tell whether repositories end at the problem: under every policy but the open one."""
    return domain.access != OPEN_HISTORY.name


_HERE = "evotrainer.domains.swe"

PROCESS_REWARD = Factor(
    "process_reward",
    ("reward.search_before_edit", "reward.edit_then_test"),
    (
        {"reward.search_before_edit": 0.0, "reward.edit_then_test": 0.0},
        {"reward.search_before_edit": 0.1, "reward.edit_then_test": 0.15},
    ),
    "pay for searching before an edit and testing after it",
)


SWE = Domain(
    name="swe",
    environment=lazy(f"{_HERE}.environment:SweEnvironment"),
    grader=lazy(f"{_HERE}.grader:SweGrader"),
    parse_row=lazy(f"{_HERE}.rows:parse_row"),
    problem_rows=lambda: problem_rows("swe"),
    weakness_of=lazy(f"{_HERE}.grader:weakness_of"),
    anchored=lazy(f"{_HERE}.rows:anchored"),
    access=(OPEN_HISTORY, SANITIZED_HISTORY),
    factors=(PROCESS_REWARD, JUDGE_REWARD, EPISODE_MASK),
    rubric="1.0: mends the cause of the issue and nothing else. 0.5: finds the cause and mends part of it. "
    "0.0: leaves the cause, works around the tests or changes them to hide it, or changes nothing.",
    tools=lazy(f"{_HERE}.tools:tool_schemas"),
    has_tools=True,
)
