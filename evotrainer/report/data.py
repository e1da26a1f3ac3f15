"""What a report says, as plain values: the one source of page, figure and `--json`.

Nothing is computed here that a verdict or a certificate does not already hold, so that the report's numbers are those
of `evotrainer query`: score and bounds from the verdict, findings from the harness reports, costs from the stages.
"""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.lineage import (
    best_chain,
    came_true,
    campaign_floor,
    children,
    incumbent,
    observed_shift,
    recipe_gain,
    reigns,
)
from evotrainer.campaign.memory import load_memory
from evotrainer.campaign.repository import open_gaps, read_costs, read_records
from evotrainer.campaign.trials import skills, trials_of
from evotrainer.config import Config, load_config
from evotrainer.errors import LineageError
from evotrainer.promotion.verdict_text import recipe_label
from evotrainer.records import Decision, Record, Revision, VersionRecord
from evotrainer.report.gates import answers_data
from evotrainer.report.words import change_words, ending, setting_origins

if TYPE_CHECKING:
    from evotrainer.diagnosis.evolved.cards import Card


def report_data(files: CampaignFiles) -> dict[str, Any]:
    """Return everything the report shows; raises LineageError where no version is closed yet."""
    records = read_records(files)
    if not records:
        name = files.root.name
        raise LineageError(f"no version of {name} is closed yet: `evotrainer campaign status {name}` says more")
    config = load_config(files.config)
    best = incumbent(records)
    return {
        "campaign": records[0].spec.campaign,
        "settings": settings_data(config),
        "confidence": config.evaluate.confidence,
        "incumbent": best,
        "best_chain": best_chain(records),
        "reigns": reigns(records),
        "noise_floor": _plain(campaign_floor(records)),
        "gain": next((_comparison(one, BASE_VERSION) for one in records if one.spec.version == best), None),
        "versions": [version_data(files, record, records) for record in records],
        "skills": skills_data(files, records),
        "certificate": _plain(files.certified.find()),
        "harness": harness_data(files, config),
        "costs": costs([*(record.cost for record in records), *_other_costs(files)]),
    }


def settings_data(config: Config) -> dict[str, Any]:
    """Return the settings that stand at the head of the report."""
    return {
        "domain": config.domain.name,
        "policy": config.policy.path or config.policy.name,
        "search": config.search.name,
        "trainer": config.trainer.name,
        "harness": "evolving" if config.harness.evolve else "static",
        "seed": config.seed,
        "gate": config.evaluate.gate,
        "measure": config.evaluate.measure,
        "attempts": config.evaluate.attempts,
        "recipe seeds": config.evaluate.recipe_seeds,
        "train tokens a version": config.budget.train_tokens,
    }


def version_data(files: CampaignFiles, record: VersionRecord, records: list[VersionRecord]) -> dict[str, Any]:
    """Return what the report says of one version."""
    own = files.version(record.spec.version)
    proposal, before = own.proposal.find(), own.findings.find()
    return {
        **record.spec.model_dump(
            include={"version", "kind", "generation", "slot", "parents", "incumbent", "harness_revision"}
        ),
        "children": children(records, record.spec.version),
        "change": change_words(record),
        "ending": ending(record),
        "setting_origins": setting_origins(record, records),
        "gate_answers": answers_data(own),
        "intervention": _plain(record.intervention),
        "backtest": _plain(record.backtest),
        "refused": proposal.refused if proposal else [],
        "pool_size": len(proposal.pool) if proposal else 0,
        "verdict": _plain(record.verdict),
        "confirmation": _plain(record.confirmation),
        "recipe": recipe_label(record),
        "prediction": {"observed": observed_shift(record), "hit": came_true(record)},
        "score_difference": recipe_gain(record),
        "attribution": record.attribution,
        "honest_score": record.honest_score,
        "honest_wording": record.corrected[1].wording if record.corrected else "",
        "against_incumbent": _judged_by(record),
        "against_base": _comparison(record, BASE_VERSION),
        "findings_before": [_plain(finding) for finding in before.findings] if before else [],
        "findings": [_plain(finding) for finding in record.findings],
        "metrics": record.metrics,
        "curve": read_curve(own),
        "cost": record.cost,
        "spent": _spent(record, records),
    }


def read_curve(version: VersionFiles) -> list[dict[str, float | None]]:
    """Return the training signals of a version by step; empty where it did not train."""
    return json.loads(version.curve.read_text(encoding="utf-8")) if version.curve.is_file() else []


def skills_data(files: CampaignFiles, records: list[VersionRecord]) -> dict[str, Any]:
    """Return the lessons that the campaign started with, and how good its predictions were, by author."""
    known = [
        {"name": name, "cases": len(cases), "domains": sorted({case.domain for case in cases if case.lesson})}
        for name, cases in load_memory(files.memory).skills.items()
    ]
    predictions = [skill.model_dump(mode="json") for skill in skills(trials_of(records)) if skill.predictions]
    return {"known": known, "predictions": predictions}


def _spent(record: VersionRecord, records: list[VersionRecord]) -> dict[str, float]:
    """Return what a version took over all its stages, and its share of the time of all versions."""
    totals = {unit: _total(record, unit) for unit in ("tokens", "seconds", "cpu_seconds")}
    whole = sum(_total(one, "seconds") for one in records)
    return totals | {"share": totals["seconds"] / whole if whole else 0.0}


def _total(record: VersionRecord, unit: str) -> float:
    return sum(value for name, value in record.cost.items() if name.partition("_")[2] == unit)


def costs(tables: Iterable[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return {stage: {tokens, seconds, dollars}} summed over cost tables like {'train_tokens': 200}."""
    totals: dict[str, dict[str, float]] = {}
    for table in tables:
        for name, value in table.items():
            stage, _, unit = name.partition("_")
            if unit in ("tokens", "seconds", "dollars"):
                sums = totals.setdefault(stage, {"tokens": 0.0, "seconds": 0.0, "dollars": 0.0})
                sums[unit] += value
    return totals


def _other_costs(files: CampaignFiles) -> list[dict[str, float]]:
    """Return what the certificate and each revision of the harness cost."""
    folders = [files.certificate / "costs", *(files.revision(name).costs for name in files.revision_names())]
    return [read_costs(folder) for folder in folders]


def _comparison(record: VersionRecord, against: str) -> dict[str, Any] | None:
    return _plain(next((c for c in record.verdict.comparisons if c.against == against), None))


def _judged_by(record: VersionRecord) -> dict[str, Any] | None:
    """Return the difference to the incumbent that the verdict rests on: of fresh rows where there are any."""
    gate = record.verdict.gate
    if gate is None or gate.estimate is None:
        found = _comparison(record, record.spec.incumbent)
        return found | {"is_fresh": False} if found else None
    return {"against": gate.against, "difference": gate.estimate, "low": gate.low, "high": gate.high, "is_fresh": True}


def _plain(record: Record | None) -> dict[str, Any] | None:
    return record.model_dump(mode="json") if record else None


def read_revisions(files: CampaignFiles) -> list[Revision]:
    """Return the finished revisions of a campaign's harness, in order."""
    return [files.revision(name).revision.read() for name in files.revision_names()]


def evolved_cards(files: CampaignFiles, config: Config) -> "list[Card]":
    """Return the cards of the evolved diagnostics, expired ones among them; none where the harness has none."""
    if not (config.harness.evolve and files.evolved_plugins.is_dir()):
        return []
    from evotrainer.diagnosis.evolved.cards import load_cards  # pandas, which a static harness does without

    return load_cards(files.evolved_plugins)


def harness_data(files: CampaignFiles, config: Config) -> dict[str, Any]:
    """Return what the report says of the harness, as plain values."""
    revisions = read_revisions(files)
    return {
        "name": "evolving" if config.harness.evolve else "static",
        "line": harness_line(files, config),
        "revisions": [one.model_dump(mode="json") | {"summary": one.summary} for one in revisions],
        "decisions": [row for one in revisions for row in decision_rows(one)],
        "cards": [card.model_dump(mode="json") for card in evolved_cards(files, config)],
        "gaps": [gap.model_dump(mode="json") for gap in open_gaps(files, files.version_names())],
    }


def harness_line(files: CampaignFiles, config: Config) -> str:
    """Return the state of the harness in one line: its last revision, and how many cards are in force."""
    cards = evolved_cards(files, config)
    if not config.harness.evolve:
        return "static"
    counts = {name: sum(card.status == name for card in cards) for name in ("accepted", "provisional", "expired")}
    held = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return f"evolving, {(files.revision_names() or ['not revised'])[-1]}{f': {held}' if held else ''}"


REVISION_COLUMNS = ("revision", "outcome", "diagnostic", "from the gap", "separation", "false alarms", "reason")


def decision_rows(revision: Revision) -> list[list[str]]:
    """Return one row a decision of a revision: what it is about, from which gap, what it separated, and why."""
    return [
        [
            revision.revision,
            one.outcome,
            f"{one.plugin} ({one.formula})" if one.plugin else "none",
            one.gap,
            _separated(one),
            _alarms(one),
            one.reason,
        ]
        for one in revision.decisions
    ]


def _separated(decision: Decision) -> str:
    found = decision.separation
    if found is None:
        return "-"
    return f"{found.num_good} good, {found.num_bad} bad, area {found.area:.2f}, {found.caught:.0%} caught"


def _alarms(decision: Decision) -> str:
    found = decision.false_alarms
    return "-" if found is None else f"{found.num_alarms} of {found.num_healthy}, at most {found.high:.0%}"
