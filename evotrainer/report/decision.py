"""Why a version was decided as it was, in sentences: the change, what was predicted, what was seen, what decided.

The model card of an exported policy says the same for its reader: how it was trained, what is known of it.
"""

from collections.abc import Iterable, Mapping, Sequence

import yaml

from evotrainer.campaign.documents import split_card
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import best_chain, find, gain, incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, load_config
from evotrainer.promotion.verdict_text import describe_gate, describe_recipe
from evotrainer.records import Certificate, Finding, VersionRecord
from evotrainer.report.words import (
    change_text,
    ending,
    scores_text,
    sealed_gains,
    sealed_score,
    setting_origins,
    sharpened,
    sharpness,
)

MEANINGS = {
    "promoted": "it is better than the incumbent of its generation, within the campaign's error budget",
    "kept": "it is valid, but no gain was shown; it may still be a parent",
    "rejected": "it is worse, it broke a side-effect limit, or its backtest refused it",
    "invalid": "its score rests on something that is no skill, so that no comparison counts",
    "inconclusive": "too many attempts were lost, or there are too few problems, for a decision",
    "failed": "it did not end; nothing is known of its recipe",
}
UNDECIDED = "the gate drew its last attempt without a decision: nothing is claimed in either direction"
NOTHING_TRIED = "no lawful candidate was left to try, so that nothing was trained"
BASE = "it is the base policy, which every version is compared with in the end"
REFUSED = "its backtest refused it, so that nothing was trained"
MAX_FINDINGS = 5
STAGES = ("plan", "rollout", "diagnose", "propose", "backtest", "train", "evaluate", "confirm")
SHOWN_SECONDS = 0.1


def decision(
    record: VersionRecord, records: Sequence[VersionRecord], confidence: float, answers: Sequence[str] = ()
) -> list[str]:
    """Return the decision about one version as lines.

    `confidence` is that of the campaign's intervals, `answers` are those at the version's gates in words.
    """
    verdict = record.verdict
    label = f" ({verdict.label})" if verdict.label else ""
    lines = [f"{record.spec.version} was {verdict.outcome}{label}: {_meaning(record)}."]
    lines += _place(record, records)
    lines += _section("change", _change(record, records))
    lines += _section("before training", _backtest(record))
    lines += _section("predicted", _prediction(record))
    lines += _section("answered at gates", answers)
    lines += _section("decided by", dict.fromkeys([*verdict.reasons, *_gate(record, confidence)]))
    lines += _section("scores, mean over attempts at temperature 1", _scores(record, records))
    lines += _section("findings", [found.words for found in _loudest(record.findings)])
    lines += _section("cost", _cost(record.cost) if record.cost else [])
    return lines


def _meaning(record: VersionRecord) -> str:
    if text := ending(record):
        return text
    if record.is_empty:
        return NOTHING_TRIED
    if record.spec.kind == "base" and record.verdict.outcome == "kept":
        return BASE
    if record.verdict.outcome == "rejected" and record.was_refused:
        return REFUSED
    return UNDECIDED if record.verdict.is_undecided else MEANINGS[record.verdict.outcome]


def _place(record: VersionRecord, records: Sequence[VersionRecord]) -> list[str]:
    if record.spec.version == incumbent(records):
        return ["It is the campaign's incumbent."]
    return [f"The campaign's incumbent is {incumbent(records)}."]


def _section(title: str, lines: Iterable[str]) -> list[str]:
    indented = [f"  {line}" for line in lines]
    return ["", f"{title}:", *indented] if indented else []


def _change(record: VersionRecord, records: Sequence[VersionRecord]) -> list[str]:
    parents = " and ".join(record.spec.parents) or "nothing"
    made = record.intervention
    hypothesis = [f"hypothesis of {made.author}: {made.hypothesis}"] if made is not None else []
    asked = [f"asked for by: {', '.join(made.evidence)}"] if made is not None and made.evidence else []
    return [f"{change_text(record)} (from {parents})", *_brought(record, records), *hypothesis, *asked]


def _brought(record: VersionRecord, records: Sequence[VersionRecord]) -> list[str]:
    """Return in a line which version each setting of a merge comes from; nothing of other versions."""
    origins = setting_origins(record, records)
    return [", ".join(f"{key} was brought by {name}" for key, name in origins.items())] if origins else []


def _backtest(record: VersionRecord) -> list[str]:
    found = record.backtest
    if found is None:
        return []
    accepted = "accepted" if found.accepted else "refused"
    effect = f"{found.predicted_effect:+.4f}"
    text = found.reason if effect in found.reason else f"{found.reason}; predicted effect {effect}"
    return [f"backtest ({found.family}) {accepted}: {text}"]


def _prediction(record: VersionRecord) -> list[str]:
    if record.intervention is None:
        return []
    line, seen = record.intervention.prediction.all_words, record.verdict.prediction_observed
    if seen is None:
        return [line, "observed: not measured"]
    hit = {True: "the direction was right", False: "the direction was wrong", None: "undecided"}
    return [line, f"observed: {seen:+.4g}: {hit[record.verdict.prediction_hit]}"]


def _gate(record: VersionRecord, confidence: float) -> list[str]:
    gate = record.verdict.gate
    recipe = record.confirmation.recipe if record.confirmation is not None else None
    fresh = describe_gate(gate, confidence) if gate is not None else []
    return [*fresh, *(describe_recipe(recipe, confidence) if recipe is not None else [])]


def _scores(record: VersionRecord, records: Sequence[VersionRecord]) -> list[str]:
    """Return mean and greedy score of a version and of its incumbent, and whether the mean alone moved."""
    if record.verdict.score is None:
        return []
    before = [one for one in records if one.spec.version == record.spec.incumbent != record.spec.version]
    shown = [f"{one.spec.version}: {scores_text(one)}" for one in [record, *before] if one.verdict.score is not None]
    greedy = [one.verdict.greedy_score for one in [record, *before]]
    moved = greedy[0] - greedy[1] if len(greedy) > 1 and None not in greedy else None  # type: ignore[operator]
    warning = sharpened(gain(record), moved) if record.verdict.outcome == "promoted" else ""
    return [*shown, *([warning] if warning else [])]


def _loudest(findings: Sequence[Finding]) -> list[Finding]:
    order = ("invalid", "critical", "warning")
    loud = [found for found in findings if found.severity in order]
    return sorted(loud, key=lambda found: order.index(found.severity))[:MAX_FINDINGS]


def _cost(cost: Mapping[str, float]) -> list[str]:
    """Return what the version took in all, then each stage that took a tenth of a second; --json has every number."""
    seconds = {name: cost[f"{name}_seconds"] for name in STAGES if f"{name}_seconds" in cost}
    units = {unit: sum(cost.get(f"{name}_{unit}", 0) for name in STAGES) for unit in ("tokens", "trajectories")}
    dollars = sum(cost.get(f"{name}_dollars", 0) for name in STAGES)
    paid = f", {dollars:.2f} dollars" if dollars else ""
    shown = [f"{name} {value:,.1f} s" for name, value in seconds.items() if value >= SHOWN_SECONDS]
    total = (
        f"{sum(seconds.values()):,.1f} s, {units['tokens']:,.0f} tokens, {units['trajectories']:,.0f} attempts{paid}"
    )
    return [total, *([", ".join(shown)] if shown else [])]


def certified(found: Certificate) -> str:
    """Return in a line what the sealed split says of the incumbent."""
    score = f"{found.incumbent} {sealed_score(found, found.incumbent)}"
    where = f"{score} on {found.num_problems} sealed problems x {found.attempts} attempts"
    return "; ".join(filter(None, [where, ", ".join(sealed_gains(found)), sharpness(found)]))


def model_card(files: CampaignFiles, version: str) -> str:
    """Return the Markdown text of a version's model card."""
    records, config = read_records(files), load_config(files.config)
    record = find(records, version)
    name = record.spec.campaign
    chain = [find(records, one) for one in best_chain(records)] if version in best_chain(records) else [record]
    base = config.policy.path or f"the embedded policy {config.policy.name}"
    lines = [
        *front_matter(files, config),
        f"# {name} {version}",
        "",
        f"A policy that EvoTrainer post-trained from {base} in the domain {config.domain.name}.",
        f"Verdict: {record.verdict.outcome}, {_meaning(record)}.",
        "",
        "## Scores",
        "",
        *_measured_scores(record, files),
        "",
        "## How it was trained",
        "",
        *[f"- {one.spec.version}: {change_text(one)}" for one in chain],
        "",
        "## What is wrong with it",
        "",
        *([f"- {found.words}" for found in record.findings if found.severity != "info"] or ["No finding."]),
        "",
        "## Make it again",
        "",
        f"    evotrainer reproduce {name} {version}",
        "",
    ]
    return "\n".join(lines)


def front_matter(files: CampaignFiles, config: Config) -> list[str]:
    """Return what model hubs read: the licence is the base policy's, `other` where its card names none."""
    own = config.policy.path
    header, _ = split_card(files.root / own / "README.md") if own else ("", "")
    try:
        found = yaml.safe_load(header.strip("-\n"))
    except yaml.YAMLError:
        found = None
    stated = found if isinstance(found, dict) else {}
    fields = {
        "license": stated.get("license", "other") if own else "apache-2.0",
        "base_model": stated.get("base_model", own) if own else f"evotrainer/{config.policy.name}",
        "library_name": "transformers",
        "pipeline_tag": "text-generation",
        "tags": ["evotrainer", "reinforcement-learning", config.domain.name],
    }
    return ["---", yaml.safe_dump(fields, sort_keys=False).rstrip(), "---", ""]


def _measured_scores(record: VersionRecord, files: CampaignFiles) -> list[str]:
    certificate = files.certified.find()
    sealed = _sealed(record.spec.version, certificate) if certificate is not None else []
    if record.honest_score is None:
        return sealed or ["It was not evaluated."]
    return [f"- validation, used for screening: {scores_text(record)}", *sealed]


def _sealed(version: str, certificate: Certificate) -> list[str]:
    score = sealed_score(certificate, version)
    where = f"sealed test split, {certificate.num_problems} problems x {certificate.attempts} attempts"
    lines = [f"- {where}: {score}"] if score else []
    if version == certificate.incumbent:
        warning = sharpness(certificate)
        lines += [*([f"- {warning}"] if warning else []), *(f"- there: {gain}" for gain in sealed_gains(certificate))]
    return lines
