"""The lineage in a bounded number of words, however many versions there are.

The opening of a conversation holds counts, the newest trials, the end of the best chain, and one line a factor. What
else there is, the lineage tool gives on demand. So the prompt has a bound that does not depend on the campaign's
length.
"""

from collections import Counter
from collections.abc import Sequence

from evotrainer.agents.claude.untrusted import one_line
from evotrainer.campaign.lineage import best_chain, came_true, gain, recipe_gain
from evotrainer.records import VersionRecord

NEWEST = 8
CHAIN = 6
MAX_FACTORS = 40
MAX_CHARACTERS = 300
"""Of a hypothesis or a reason."""


def lineage_summary(records: Sequence[VersionRecord]) -> str:
    """Return what a proposer must know of all versions, in a bounded number of lines."""
    outcomes = Counter(record.verdict.outcome for record in records)
    chain, trials = best_chain(records), [record for record in records if record.intervention is not None]
    hits = Counter(came_true(record) for record in trials)
    lines = [
        f"{len(records)} closed versions: {', '.join(f'{count} {name}' for name, count in sorted(outcomes.items()))}",
        f"predictions: {hits[True]} came true, {hits[False]} did not, {hits[None]} were not measured",
        f"best chain: {'... > ' if len(chain) > CHAIN else ''}{' > '.join(chain[-CHAIN:])}",
        "factors tried (times, promoted, best and worst gain):",
        *_factor_lines(trials),
        "newest trials:",
        *[record_lines(record) for record in trials[-NEWEST:]],
    ]
    return "\n".join(lines)


def record_lines(record: VersionRecord) -> str:
    """Return one version in a few lines."""
    verdict, found = record.verdict, record.intervention
    score = "no score" if record.honest_score is None else f"score {record.honest_score:.4f}"
    head = f"{record.spec.version} ({record.spec.kind} on {record.spec.incumbent}): {verdict.outcome}"
    head += f" {verdict.label}" if verdict.label else ""
    head += f", {score}, gain {_number(recipe_gain(record))}"
    if found is None:
        return head
    change = ", ".join(f"{key} {old} -> {new}" for key, (old, new) in found.diff.items())
    said, seen = found.prediction, verdict.prediction_observed
    lines = [
        head,
        f"  {found.factor}: {one_line(change, MAX_CHARACTERS)}",
        f"  why: {one_line(found.hypothesis, MAX_CHARACTERS)}",
        f"  predicted {said.metric} {said.size:+.4g} [{said.low:.4g}, {said.high:.4g}], observed {_number(seen)}",
    ]
    if record.backtest is not None and not record.backtest.accepted:
        lines.append(f"  refused by its backtest: {one_line(record.backtest.reason, MAX_CHARACTERS)}")
    elif verdict.reasons:
        lines.append(f"  reasons: {one_line('; '.join(verdict.reasons), MAX_CHARACTERS)}")
    return "\n".join(lines)


def _factor_lines(trials: Sequence[VersionRecord]) -> list[str]:
    by_factor: dict[str, list[VersionRecord]] = {}
    for record in trials:
        for name in record.intervention.factor.split("+") if record.intervention else []:
            by_factor.setdefault(name, []).append(record)
    return [_factor_line(name, by_factor[name]) for name in sorted(by_factor)[:MAX_FACTORS]]


def _factor_line(name: str, tried: Sequence[VersionRecord]) -> str:
    gains = [found for record in tried if (found := gain(record)) is not None]
    promoted = sum(record.verdict.outcome == "promoted" for record in tried)
    best, worst = (_number(pick(gains) if gains else None) for pick in (max, min))
    return f"  {name}: {len(tried)}, {promoted}, {best}, {worst}"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.4f}"
