"""The evidence contract: what a trainer writes of each attempt, and what cannot be said without it.

docs/evidence.md shows this table to whoever writes a trainer; `evotrainer evidence check` reads a file against it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.reading.others import measured, terms
from evotrainer.records import HarnessReport


@dataclass(frozen=True)
class Wanted:
    """One column of the contract."""

    name: str
    """Our name; of those that trainers use, evidence/foreign/names.yaml and reading/others.py know more."""
    kind: str
    without: str
    """What cannot be said without it."""
    is_required: bool = False
    measures: tuple[str, ...] = ()
    """Measures of reading/others.py that it is found as; empty: a column of its own."""
    source: str = ""
    """What checks that lack it call it, where that is another name."""


CONTRACT = (
    Wanted("problem_id", "text; or a prompt", "which attempts are at one problem", True),
    Wanted("response", "text or messages", "texts, answers, transcripts", True, source="texts of the policy"),
    Wanted("reward", "number", "anything of what is paid", True, source="rewards"),
    Wanted("prompt", "text or messages", "what was asked, and whether an id holds several problems"),
    Wanted("step", "integer", "numbers by step, and what spreads over the run"),
    Wanted("reward_terms", "map of numbers", "which term pays, and which is dead"),
    Wanted("correct", "0 or 1", "whether the reward follows the outcome"),
    Wanted("gold", "text", "whether the grader is right", source="gold answers"),
    Wanted("advantage", "number", "whether the baseline is that of the group"),
    Wanted("in_loss", "true or false", "what the loss leaves out"),
    Wanted("stop_reason", "text", "why attempts end"),
    Wanted("is_truncated", "true or false", "the share that a limit cuts"),
    Wanted("error", "text or null", "attempts that the machine lost, apart from wrong ones"),
    Wanted("num_tokens", "integer", "length in tokens, crowds at a limit, tokens a second"),
    Wanted("duration_seconds", "number", "tokens a second"),
    Wanted("format_ok", "true or false", "the share that keeps the form"),
    Wanted("rollout_log_probs", "list of numbers", "sampler against trainer", measures=("sampler_logprob",)),
    Wanted("old_log_probs", "list of numbers", "sampler against trainer", measures=("trainer_logprob",)),
    Wanted("weights_version", "integer", "how far the sampler is behind", measures=("sampler_version",)),
    Wanted("entropy", "number", "exploration that ends", measures=("entropy",)),
    Wanted("kl", "number", "distance from the reference", measures=("kl",)),
    Wanted("grad_norm", "number", "steps that learn nothing, or too much", measures=("grad_norm",)),
    Wanted("clip_fraction", "number", "updates that are too large", measures=("clip_fraction",)),
    Wanted("importance_ratio", "number", "updates of another policy", measures=("ratio",)),
)
"""Names and kinds, those that are needed first."""


@dataclass(frozen=True)
class Held:
    """What one file holds of one wanted column."""

    wanted: Wanted
    found_as: str
    """The column of the file; empty where it is missing."""
    checks: int
    """Checks that cannot speak for lack of it."""


def held(roles: Mapping[str, str], evidence: Evidence, report: HarnessReport) -> list[Held]:
    """Return for each column of the contract what a file holds of it."""
    measures = measured(evidence.conditions)
    lacking = Counter(name for one in report.unjudged for name in set(one.missing))
    return [Held(one, _found_as(one, roles, evidence, measures), lacking[one.source or one.name]) for one in CONTRACT]


def _found_as(one: Wanted, roles: Mapping[str, str], evidence: Evidence, measures: Mapping[str, str]) -> str:
    """Return what a wanted column is called in the file; every row gets an id and a step, which are not found then."""
    if one.measures:
        return next((measures[name].removeprefix("x.") for name in one.measures if name in measures), "")
    if one.name == "reward_terms":
        return ", ".join(name.removeprefix("term_") for name in terms(evidence.conditions))
    is_made = one.name in ("problem_id", "step")
    return roles.get(one.name, "") or (one.name if not is_made and evidence.conditions.is_known(one.name) else "")
