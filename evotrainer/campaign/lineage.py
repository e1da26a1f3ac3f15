"""The lineage: what became of each version, who descends from whom, which one is the incumbent.

A version is a node once its verdict is on disk. Nothing is stored twice: the records are read from the versions' own
files, and `write_records` freezes them under inputs/ for a version that starts, without what differs from run to run
(seconds, memory), so that equal campaigns freeze equal bytes.

The incumbent is the best promoted version of the last generation that promoted any. Candidates of one generation are
all judged against the incumbent that they started from, and only the best of the winners takes its place. Winners over
an older version (the search went back to it) take the place of the reigning one only if they rank above it.
"""

import difflib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles, parse_version
from evotrainer.config import config_to_dict, flatten, load_config
from evotrainer.config.factors import RECIPE_GROUPS, changed_keys, recipe_hash
from evotrainer.errors import LineageError
from evotrainer.records import (
    LOST_ATTEMPTS,
    Backtest,
    Confirmation,
    Finding,
    HarnessReport,
    Intervention,
    Proposal,
    Record,
    Verdict,
    VersionRecord,
    VersionSpec,
)

R = TypeVar("R", bound=Record)
_RECORDS = TypeAdapter(list[VersionRecord])
REPEATABLE_COSTS = ("tokens", "dollars")
"""Costs that a repetition pays again to the digit; wall clock and memory are not among them."""


def read_records(files: CampaignFiles) -> list[VersionRecord]:
    """Return the records of all closed versions of a campaign, in the order of their names.

    Metrics and findings are those of the harness in force where it was revised (harness/rNN/), so that all versions
    are read under one definition; verdicts are what they were.
    """
    closed = [name for name in files.version_names() if files.version(name).verdict.is_file()]
    remeasured = _remeasured(files)
    records = [read_record(files, name).model_copy(update=remeasured.get(name, {})) for name in closed]
    corrected: dict[str, float] = {}
    for record in reversed(records):
        corrected |= record.verdict.rescored
    return [record.model_copy(update={"rescored": corrected.get(record.spec.version)}) for record in records]


def read_record(files: CampaignFiles, version: str) -> VersionRecord:
    """Return the record of one closed version; raises LineageError for a file that cannot be read."""
    own = files.version(version)
    audit = _read(own.audit, HarnessReport)
    training = _read_json(own.training_summary)
    intervention = chosen_intervention(own)
    return VersionRecord(
        spec=_required(own.spec, VersionSpec),
        intervention=intervention,
        backtest=_read(own.backtest, Backtest) if intervention else None,
        verdict=_required(own.verdict, Verdict),
        findings=audit.findings if audit else [],
        metrics=_numbers(_read_json(own.metrics)),
        harness_version=audit.harness_version if audit else "",
        config_hash=recipe_hash(load_config(own.config)) if own.config.is_file() else "",
        policy_hash=training.get("policy_hash") or None,
        cost=_costs(own),
        confirmation=_read(own.confirmation, Confirmation),
    )


def _remeasured(files: CampaignFiles) -> dict[str, dict[str, Any]]:
    """Return what the last revision of the harness measured of each version anew; nothing where there is none."""
    revisions = files.revision_names()
    path = files.revision(revisions[-1]).remeasured if revisions else files.root / "none"
    found = _read_json(path)
    try:
        return {
            name: {**values, "findings": [Finding.model_validate(one) for one in values["findings"]]}
            for name, values in found.items()
        }
    except (ValidationError, KeyError) as error:
        raise LineageError(f"{path} is damaged ({type(error).__name__}): restore it or rerun its stage") from None


def write_records(path: Path, records: Sequence[VersionRecord]) -> None:
    """Freeze records as JSON: the same bytes for the same versions, whenever they ran."""
    frozen = [record.model_copy(update={"cost": _repeatable(record.cost)}) for record in records]
    path.parent.mkdir(parents=True, exist_ok=True)
    values = [record.model_dump(mode="json") for record in frozen]
    path.write_text(json.dumps(values, indent=1, sort_keys=True, allow_nan=False) + "\n", encoding="utf-8")


def load_records(path: Path) -> list[VersionRecord]:
    """Return frozen records; empty where the file does not exist, as for the first version."""
    if not path.is_file():
        return []
    try:
        return _RECORDS.validate_json(path.read_bytes())
    except ValidationError as error:
        raise LineageError(f"{path} is not a lineage: {_first_line(error)}") from None


def find(records: Sequence[VersionRecord], text: str) -> VersionRecord:
    """Return the record of the version that a person typed (v3, 3, v003); raises LineageError with what exists."""
    version = parse_version(text)
    names = [record.spec.version for record in records]
    if version not in names:
        near = difflib.get_close_matches(version, names, n=3, cutoff=0.0)
        told = f"nearest: {', '.join(near)}; there are {len(names)} closed versions" if near else "none is closed yet"
        raise LineageError(f"no version {version} in this campaign ({told})")
    return records[names.index(version)]


def incumbent(records: Sequence[VersionRecord]) -> str:
    """Return the version to beat: the best promoted of the last generation that promoted any, else the base."""
    promoted = [record for record in records if record.verdict.outcome == "promoted"]
    reigning: VersionRecord | None = None
    for generation in sorted({record.spec.generation for record in promoted}):
        winners = [record for record in promoted if record.spec.generation == generation]
        beaten = {record.spec.incumbent for record in winners}
        rivals = [] if reigning is None or reigning.spec.version in beaten else [reigning]
        reigning = max([*rivals, *winners], key=_rank)
    return reigning.spec.version if reigning else BASE_VERSION


def _rank(record: VersionRecord) -> tuple[float, float, str]:
    """Order winners by score, less what selection on screening rows had added to it where fresh rows tell.

    Winners whose checkpoints are equal so far are ordered by what their recipes gained.
    """
    score, gained, screened = record.honest_score, gain(record), _screened_gain(record)
    if score is None:
        return -1.0, 0.0, record.spec.version
    corrected = round(score + ((gained or 0.0) - (screened or 0.0)), 9)
    return corrected, recipe_gain(record) or 0.0, record.spec.version


def gain(record: VersionRecord) -> float | None:
    """Return what a version gained on its incumbent: on fresh rows where the gate drew any, else on screening rows."""
    gate = record.verdict.gate
    return gate.estimate if gate is not None and gate.estimate is not None else _screened_gain(record)


def recipe_gain(record: VersionRecord) -> float | None:
    """Return what a version's recipe gained: over fresh training seeds where any were trained, else as `gain` says."""
    claim = record.confirmation.recipe if record.confirmation else None
    return claim.difference if claim is not None and claim.difference is not None else gain(record)


def came_true(record: VersionRecord) -> bool | None:
    """Return whether a version's prediction came true: over fresh training seeds where they measure it."""
    over_seeds = record.confirmation.prediction if record.confirmation else None
    if over_seeds is not None and over_seeds.came_true is not None:
        return over_seeds.came_true
    return record.verdict.prediction_hit


def _screened_gain(record: VersionRecord) -> float | None:
    against = [c for c in record.verdict.comparisons if c.against == record.spec.incumbent]
    return against[0].difference if against else None


def recipe_before(spec: VersionSpec, records: Sequence[VersionRecord]) -> str:
    """Return the version whose recipe a version's own is compared with: the incumbent's.

    The base policy has no recipe. A candidate on it changes the campaign's, which the baseline trained; the baseline
    itself is compared with not training at all.
    """
    if spec.incumbent != BASE_VERSION or spec.kind == "baseline":
        return spec.incumbent
    return baseline(records) or BASE_VERSION


def baseline(records: Sequence[VersionRecord]) -> str | None:
    """Return the version that trained the campaign's own recipe, the latest where a leak made it train again."""
    found = [record.spec.version for record in records if record.spec.kind == "baseline"]
    return found[-1] if found else None


def failures_in_a_row(records: Sequence[VersionRecord]) -> int:
    """Return how many trials closed since the last promotion, base and baselines left out."""
    count = 0
    for record in reversed([record for record in records if record.was_trial]):
        if record.verdict.outcome == "promoted" or record.spec.kind in ("base", "baseline"):
            break
        count += 1
    return count


def children(records: Sequence[VersionRecord], version: str) -> list[str]:
    """Return the versions that name `version` as a parent."""
    return [record.spec.version for record in records if version in record.spec.parents]


def best_chain(records: Sequence[VersionRecord]) -> list[str]:
    """Return the versions from the base to the incumbent, each judged better than the one before it."""
    by_name = {record.spec.version: record for record in records}
    chain = [incumbent(records)]
    while chain[-1] != BASE_VERSION and chain[-1] in by_name:
        chain.append(by_name[chain[-1]].spec.incumbent)
    return chain[::-1]


def taken_recipes(records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {recipe hash: version} of every recipe tried: a proposal with one of these hashes is a duplicate.

    One whose attempts infrastructure took was not judged, and may be tried again.
    """
    return {
        record.config_hash: record.spec.version
        for record in reversed(records)
        if record.config_hash and record.verdict.label != LOST_ATTEMPTS
    }


def run_of_recipe(records: Sequence[VersionRecord], incumbent: str, config_hash: str) -> VersionRecord | None:
    """Return the training run of the recipe that proposals change: the incumbent's, once a trained policy leads.

    While the base policy leads, the recipe is the campaign's own, and what its last valid run did is all that is known.
    """
    if incumbent != BASE_VERSION:
        return next((record for record in records if record.spec.version == incumbent), None)
    runs = [record for record in records if record.config_hash == config_hash and record.spec.version != BASE_VERSION]
    valid = [
        record
        for record in runs
        if record.verdict.score is not None and not any(finding.severity == "invalid" for finding in record.findings)
    ]
    return valid[-1] if valid else None


def taken_policies(records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {policy hash: version} of every trained policy: an equal checkpoint is a duplicate, never a trial."""
    return {
        record.policy_hash: record.spec.version
        for record in reversed(records)
        if record.policy_hash and record.verdict.label != LOST_ATTEMPTS
    }


@dataclass(frozen=True)
class VersionDiff:
    """What sets two versions apart. `changes` maps flat recipe keys, `metrics` metric names, to (first, second)."""

    first: str
    second: str
    changes: dict[str, tuple[Any, Any]]
    metrics: dict[str, tuple[float | None, float | None]]
    outcomes: tuple[str, str]


def diff_versions(files: CampaignFiles, first: str, second: str) -> VersionDiff:
    """Compare two closed versions: recipe keys and metrics that differ. The base has no recipe: all keys are new."""
    records = read_records(files)
    one, two = find(records, first), find(records, second)
    return VersionDiff(
        first=one.spec.version,
        second=two.spec.version,
        changes=_recipe_changes(files.version(one.spec.version), files.version(two.spec.version)),
        metrics={
            name: (one.metrics.get(name), two.metrics.get(name))
            for name in sorted(one.metrics.keys() | two.metrics.keys())
            if one.metrics.get(name) != two.metrics.get(name)
        },
        outcomes=(one.verdict.outcome, two.verdict.outcome),
    )


def _recipe_changes(first: VersionFiles, second: VersionFiles) -> dict[str, tuple[Any, Any]]:
    if first.config.is_file() and second.config.is_file():
        return changed_keys(load_config(first.config), load_config(second.config))
    old, new = _recipe(first), _recipe(second)
    return {key: (old.get(key), new.get(key)) for key in sorted(old | new)}


def _recipe(own: VersionFiles) -> dict[str, Any]:
    if not own.config.is_file():
        return {}
    values = config_to_dict(load_config(own.config))
    return flatten({group: values[group] for group in RECIPE_GROUPS})


def chosen_intervention(own: VersionFiles) -> Intervention | None:
    """Return the candidate that a version took from its pool; None for base and baseline."""
    proposal = _read(own.proposal, Proposal)
    if proposal is None or proposal.chosen is None:
        return None
    return next((found for found in proposal.pool if found.intervention_id == proposal.chosen), None)


def _costs(own: VersionFiles) -> dict[str, float]:
    """Return {'train_tokens': ..., 'train_seconds': ...} over the stages' cost files."""
    paths = sorted((own.root / "costs").glob("*.json"))
    return {f"{path.stem}_{name}": value for path in paths for name, value in _numbers(_read_json(path)).items()}


def _repeatable(cost: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in cost.items() if name.endswith(REPEATABLE_COSTS)}


def _numbers(values: dict[str, Any]) -> dict[str, float]:
    return {
        name: float(value)
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        values = json.loads(path.read_bytes())
    except ValueError as error:
        raise LineageError(f"{path} is not JSON ({error}): restore it with git or rerun its stage") from None
    return values if isinstance(values, dict) else {}


def _read(path: Path, kind: type[R]) -> R | None:
    return _required(path, kind) if path.is_file() else None


def _required(path: Path, kind: type[R]) -> R:
    try:
        return kind.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise LineageError(f"{path} does not exist: the version is not complete") from None
    except ValidationError as error:
        raise LineageError(f"{path} is damaged ({_first_line(error)}): restore it or rerun its stage") from None


def _first_line(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'content'}: {first['msg']}"
