"""Whether an embedded base policy can read a person's own problems: it knows the characters that it was shown."""

from itertools import islice

from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.base import ALPHABET
from evotrainer.domains.problem_sets.loading import problem_of, split_rows
from evotrainer.errors import DataError
from flows.workspace.check import Check
from flows.workspace.checks.base import Start
from flows.workspace.own_files import reading_for

NUM_DEMONSTRATIONS = 40
"""They show every character that a domain's own problems are written in."""


def look_at_embedded(start: Start) -> list[Check]:
    """Compare the characters of a person's problems with those of demonstrations; nothing for a policy of their own.

    Raises DataError for a character that the embedded policy has no token for.
    """
    problems, domain = start.own_problems, find_domain(start.config.domain.name)
    if start.own_policy is not None or problems is None or not problems.exists():
        return []
    try:
        rows = split_rows(problems, domain.name, reading_for(start.main, start.config))
    except DataError:  # the look at the problems says what is wrong with them
        return []
    prompts = {row.row_id: problem_of(row, domain.name, split).prompt for split in rows for row in rows[split]}
    name, better = f"the embedded {start.config.policy.name}", "name a model of your own in policy.path"
    if unknown := _strange(prompts, set(ALPHABET)):
        raise DataError(f"{unknown[0]} that {name} has no token for{unknown[1]}: {better}, or write them otherwise")
    shown = {
        character
        for demonstration in islice(domain.demonstrations(start.config.seed), NUM_DEMONSTRATIONS)
        for message in demonstration.opening
        for character in message.content
    }
    if new := _strange(prompts, shown):
        return [Check("embedded", "warning", f"{new[0]} that {name} was never shown{new[1]}: {better}")]
    return []


def _strange(prompts: dict[str, str], known: set[str]) -> tuple[str, str] | None:
    """Return how many problems hold other characters, and the first of these; None where none does."""
    found = {row: sorted(set(prompt) - known) for row, prompt in prompts.items() if set(prompt) - known}
    if not found:
        return None
    row, characters = next(iter(found.items()))
    return f"{len(found)} of {len(prompts)} problems hold characters", f", like {characters[0]!r} in {row}"
