"""What a version changes, how a person ended it, and what its scores are, in words: for tables, page and model card.

A score is the mean over k attempts at temperature 1 (mean@k). It rises too where a policy gives the answers that it had
more surely. The greedy attempt and pass@k, which stand beside it, do not rise by that.
"""

from collections.abc import Mapping, Sequence

from evotrainer.campaign.lineage import brought_by
from evotrainer.promotion.measures import WORDS
from evotrainer.records import Certificate, CertifiedScore, Comparison, GateAnswer, VersionRecord

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
    who = "a person" if found.answered_by == "person" else "the timeout"
    text = f' ("{found.text}")' if found.text else ""
    if found.decision == "revise":
        return f"{who} sent its last candidate back at the {found.gate}{text}, so that nothing was trained"
    if found.gate == "completion":
        return f"{who} rolled it back at its completion{text}"
    return f"{who} gave it up at its {found.gate}{text}, so that nothing was trained"


def _without(record: VersionRecord) -> str:
    if not record.is_empty:
        return UNCHANGED[record.spec.kind]
    return _short(record.ended_by) if record.ended_by else "nothing to try"


def _short(found: GateAnswer) -> str:
    return "candidates sent back" if found.decision == "revise" else f"given up at {found.gate}"


def score_meaning(attempts: int) -> str:
    """Return what a score is."""
    return f"the mean over {attempts} attempts a problem at temperature 1 (mean@{attempts})"


def scores_text(record: VersionRecord) -> str:
    """Return mean, greedy score and pass@k of a version's screening attempts side by side."""
    values = (record.honest_score, record.verdict.greedy_score, record.metrics.get("validation_pass_at_k"))
    mean, greedy, passed = map(_number, values)
    return f"{record.spec.version}: mean {mean}, greedy {greedy}, pass@k {passed}"


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
            passed = "" if one.pass_at_k is None else f", pass@{found.attempts} {one.pass_at_k:.4f}"
            return f"mean {one.score:.4f} [{one.low:.4f}, {one.high:.4f}], greedy {one.greedy_score:.4f}{passed}"
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


REPLAYED = {
    "quality": "signal of a batch",
    "mass": "mean size of an advantage",
    "order_violations": "pairs in which a wrong attempt is paid more",
    "margin": "nats by which one step raises right attempts over wrong ones",
    "grad_norm": "norm of the gradient",
    "update_norm": "length of one step",
    "step_cosine": "cosine of the two steps' gradients",
    "step_kl": "KL of one step, nats",
    "step_clip_fraction": "share of tokens that one step clips",
    "kept_groups": "share of groups that reach the loss",
    "expected_usable": "share of groups with a signal, expected",
    "probe_usable": "share of groups with a signal, sampled anew",
    "probe_solve_rate": "solve rate, sampled anew",
    "probe_tokens": "tokens, sampled anew",
    "truncated_now": "share of attempts cut before",
    "sampling_speed": "learning a token, 1 as before",
    "filter_speed": "learning a step, 1 as before",
    "quality_ratio": "signal, 1 as before",
}
"""{number of a backtest: what a person reads}; `_before` and `_after` stand side by side."""


def replayed(numbers: Mapping[str, float]) -> dict[str, list[float]]:
    """Return the numbers of a backtest by their words: one, or before and after."""
    found: dict[str, list[float]] = {}
    for name, value in numbers.items():
        plain = name.removesuffix("_before").removesuffix("_after")
        found.setdefault(REPLAYED.get(plain, plain.replace("_", " ")), []).append(value)
    return found


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
