"""What a version changes, how a person ended it, and what its scores are: words for page and model card, and tables.

A score is the mean over k attempts at temperature 1 (mean@k). It rises too where a policy gives the answers that it had
more surely. The greedy attempt and pass@k, which stand beside it, do not rise by that.
"""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from evotrainer.campaign.lineage import brought_by, incumbent
from evotrainer.campaign.trials import Skill
from evotrainer.campaign.untrusted import escape
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.promotion.measures import MEASURES, WORDS
from evotrainer.promotion.verdict_text import recipe_label
from evotrainer.records import Certificate, CertifiedScore, Comparison, VersionRecord

UNCHANGED = {
    "base": "base policy",
    "warm_up": "warm-up on worked answers",
    "distillation": "own right attempts",
    "baseline": "campaign recipe",
    "continuation": "trained on, unchanged",
}
"""{kind: what is shown of a version that changes nothing}."""
SHARPER = 0.25
"""Share of the gain of a mean below which a greedy gain says that the policy is sharper rather than better."""


def change_text(record: VersionRecord) -> str:
    """Return what a version changes, each key with its values; of an empty one, why."""
    if record.intervention is None:
        return _without(record)
    return ", ".join(f"{key.split('.')[-1]} {old} → {new}" for key, (old, new) in record.intervention.diff.items())


def change_words(record: VersionRecord) -> str:
    """Return the same in the few words that a figure has room for: the factor alone."""
    if record.intervention is None:
        return _without(record)
    if record.spec.kind == "merge":
        return "merge of " + " + ".join(record.spec.parents)
    return record.intervention.factor.replace("_", " ").replace("+", " + ")


def setting_origins(record: VersionRecord, records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return of a merge which version brought each of its settings: {key: version}; of others nothing."""
    if record.spec.kind != "merge" or record.intervention is None:
        return {}
    return {key: brought_by(records, record.spec.version, key) for key in record.intervention.diff}


def ending(record: VersionRecord) -> str:
    """Return in a sentence's part how an answer at a gate ended the version, with its text; empty where none did."""
    found = record.ended_by
    if found is None:
        return ""
    return found.ending if found.gate == "completion" else f"{found.ending}, so that nothing was trained"


def _without(record: VersionRecord) -> str:
    if not record.is_empty:
        return UNCHANGED[record.spec.kind]
    found = record.ended_by
    if found is None:
        return "nothing to try"
    return "candidates sent back" if found.decision == "revise" else f"given up at {found.gate}"


def score_meaning(attempts: int) -> str:
    """Return what a score is."""
    return f"the mean over {attempts} attempts a problem at temperature 1 (mean@{attempts})"


def scores_words(mean: float | None, *others: float | None, k: int | str = "k") -> str:
    """Return a mean, then of its interval (low, high), greedy score and pass@k what is known."""
    low, high, greedy, passed = others
    bounds = "" if low is None or high is None else f" [{low:.4f}, {high:.4f}]"
    beside = {"greedy": greedy, f"pass@{k}": passed}
    known = "".join(f", {name} {value:.4f}" for name, value in beside.items() if value is not None)
    return "no score" if mean is None else f"mean {mean:.4f}{bounds}{known}"


def scores_text(record: VersionRecord) -> str:
    """Return the scores of a version's screening attempts; a corrected mean has no interval."""
    verdict, passed = record.verdict, record.metrics.get("validation_pass_at_k")
    bounds = (verdict.score_low, verdict.score_high) if record.honest_score == verdict.score else (None, None)
    return scores_words(record.honest_score, *bounds, verdict.greedy_score, passed)


def sharpened(mean_gain: float | None, greedy_gain: float | None) -> str:
    """Return a warning where the mean rose and the greedy score hardly did; else nothing."""
    if mean_gain is None or greedy_gain is None or mean_gain <= 0 or greedy_gain > SHARPER * mean_gain:
        return ""
    return (
        f"only sharpness may have moved: the mean rose by {mean_gain:+.4f}, the greedy score moved by "
        f"{greedy_gain:+.4f}; answers that the policy had are given more often"
    )


def measured(found: Comparison) -> str:
    """Return what a difference is of, with a blank, where that is not the score."""
    return "" if found.metric == "score" else f"{WORDS[found.metric]} "


CERTIFIED_COLUMNS = ["version", "score", "low", "high", "greedy", "pass@k", "draws lost"]


def certified_row(one: CertifiedScore) -> list[str]:
    """Return a certified score as cells, the three scores side by side."""
    bounds = [f"{value:.4f}" for value in (one.score, one.low, one.high, one.greedy_score)]
    return [one.version, *bounds, _number(one.pass_at_k), f"{one.error_share:.1%}"]


def sealed_score(found: Certificate, version: str) -> str:
    """Return the three scores of a version on the sealed split; empty where it was not scored there."""
    for one in found.scores:
        if one.version == version:
            return scores_words(one.score, one.low, one.high, one.greedy_score, one.pass_at_k, k=found.attempts)
    return ""


def sealed_gains(found: Certificate) -> list[str]:
    """Return what the incumbent gained on the sealed split, one text a comparison."""
    return [
        f"{measured(one)}{one.difference:+.4f} [{one.low:+.4f}, {one.high:+.4f}] against {one.against}"
        for one in found.comparisons
    ]


def sharpness(found: Certificate) -> str:
    """Return a warning where what reinforcement learning gained is of the mean alone; else nothing."""
    greedy = {one.version: one.greedy_score for one in found.scores}
    shown = [one for one in found.comparisons if one.against == found.start and one.metric == "score" and one.low > 0]
    warning = sharpened(shown[0].difference, greedy[found.incumbent] - greedy[found.start]) if shown else ""
    return warning and f"from {found.start} to {found.incumbent} {warning}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


OUTCOME_STYLES = {
    "promoted": "bold green",
    "kept": "cyan",
    "rejected": "red",
    "invalid": "bold magenta",
    "inconclusive": "yellow",
    "failed": "bold red",
}


SKILL_COLUMNS = ["author", "predictions", "right sign", "95% interval", "slope", "bias", "Brier", "reference", "gap"]


def skill_row(skill: Skill, least: float = LIMITS.min_predictions) -> list[str]:
    """Return how one author's predictions came true, as cells; of fewer than `least`, no calibration."""
    right = "-" if skill.accuracy is None else f"{skill.accuracy:.1%} ({skill.hits} of {skill.decided})"
    interval = f"[{skill.low:.1%}, {skill.high:.1%}]" if skill.decided else "-"
    numbers = (skill.slope, skill.bias, skill.brier, skill.reference, skill.gap)
    return [
        skill.author,
        str(skill.predictions),
        right,
        interval,
        *("-" if value is None or skill.predictions < least else f"{value:.4g}" for value in numbers),
    ]


LINEAGE_COLUMNS = ("version", "from", "change", "score", "greedy", "interval", "against incumbent", "verdict", "recipe")
NARROW_COLUMNS = ("version", "score", "against incumbent", "verdict", "change")
WIDE = 140
"""Columns of a terminal from which on all is shown; below, what a decision rests on."""


def lineage_table(records: Sequence[VersionRecord], width: int = WIDE, last: int = 0) -> Table:
    """Return one row a version: place, change, score, difference to its incumbent, verdict; the harness, if revised.

    A terminal narrower than WIDE gets version, score, difference, verdict and change, in 80 columns. `last` is how many
    versions are shown, counted from the end; 0 for all.
    """
    best, records, is_wide = incumbent(records), records[-last:], width >= WIDE
    is_revised = any(record.spec.harness_revision for record in records)
    names = [*LINEAGE_COLUMNS, *(["harness"] if is_revised else [])] if is_wide else NARROW_COLUMNS
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        is_number = name in ("score", "greedy")
        title = name if is_wide else name.split(" ")[0]
        table.add_column(title, justify="right" if is_number else "left", no_wrap=name != "change")
    for record in records:
        found = lineage_cells(record, record.spec.version == best)
        cells: dict[str, Text] = dict(zip(LINEAGE_COLUMNS, found, strict=True))
        cells["harness"] = Text(record.spec.harness_revision or "-", style="dim")
        if not is_wide:
            cells |= {name: Text(cells[name].plain.split(" ")[0]) for name in ("score", "against incumbent")}
        table.add_row(*[cells[name] for name in names])
    return table


def lineage_cells(record: VersionRecord, is_incumbent: bool) -> list[Text]:
    """Return a version in the columns of the lineage."""
    verdict = record.verdict
    name = f"{record.spec.version} ★" if is_incumbent else record.spec.version
    outcome = f"{verdict.outcome} ({verdict.label})" if verdict.label else verdict.outcome
    return [
        Text(name, style="bold" if is_incumbent else ""),
        Text("+".join(record.spec.parents) or "-", style="dim"),
        Text(escape(change_text(record))),
        Text(_score(record)),
        Text("-" if verdict.greedy_score is None else f"{verdict.greedy_score:.4f}"),
        Text(_interval(verdict.score_low, verdict.score_high), style="dim"),
        Text(_against(record)),
        Text(outcome, style=OUTCOME_STYLES[verdict.outcome]),
        Text(recipe_label(record) or "-", style="" if record.confirmation else "dim"),
    ]


def _score(record: VersionRecord) -> str:
    """The score as evaluated, and beside it the one under stricter access where a leak made it be scored again."""
    score, honest = record.verdict.score, record.honest_score
    if score is None or honest is None:
        return "-"
    return f"{score:.4f}" if honest == score else f"{score:.4f} (honest {honest:.4f})"


def _interval(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"[{low:.4f}, {high:.4f}]"


def _against(record: VersionRecord) -> str:
    """The difference that the verdict rests on: of fresh rows where the gate drew any, else of the screening rows."""
    gate = record.verdict.gate
    if gate is not None and gate.estimate is not None:
        how = "fresh" if gate.measure == "mean" else MEASURES[gate.measure].words
        return f"{gate.estimate:+.4f} [{gate.low:+.4f}, {gate.high:+.4f}] {gate.against} {how}"
    if not record.verdict.comparisons:
        return "-"
    found = record.verdict.comparisons[0]
    return f"{measured(found)}{found.difference:+.4f} [{found.low:+.4f}, {found.high:+.4f}] {found.against}"
