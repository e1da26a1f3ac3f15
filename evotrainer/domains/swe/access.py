"""What an episode may read of a repository's history, and which cheat the stricter of the two policies ends.

A careless clone holds what upstream did after the problem, the fix among it. Sanitised, that is not there at all.
"""

from evotrainer.config import DomainConfig
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
