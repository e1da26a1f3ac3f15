"""The records of a campaign's versions gathered, frozen and read again; layout.py reads and writes single ones.

A version is a node of the lineage once its verdict is on disk. Nothing is stored twice: `read_records` gathers the
records from the versions' own files. `write_records` freezes them under inputs/ for a version that starts, without
seconds and memory, so that equal campaigns freeze equal bytes.
"""

import json
import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evotrainer.campaign.documents import RESTORE, first_error, read_numbers, write_atomic, write_json_atomic
from evotrainer.campaign.gates import ended_by, rejudged
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.config import Config, config_text, load_config
from evotrainer.config.code import FILE_SIGN, code_of, reference, short, source_of
from evotrainer.config.factors import recipe_hash
from evotrainer.errors import LineageError
from evotrainer.records import Gap, Intervention, VersionRecord

_RECORDS = TypeAdapter(list[VersionRecord])
REPEATABLE_COSTS = ("tokens", "dollars")
"""Costs that a repetition pays again exactly; wall clock and memory are not among them."""


def save_config(path: Path, config: Config) -> None:
    """Write all effective values as plain YAML, in declaration order."""
    write_atomic(path, config_text(config))


def intervention_of(own: VersionFiles) -> Intervention | None:
    """Return the candidate that a version took from its pool; None for base and baseline."""
    proposal = own.proposal.find()
    return proposal.choice if proposal is not None else None


def read_costs(folder: Path) -> dict[str, float]:
    """Return {'train_tokens': ..., 'train_seconds': ...} over the cost files of all stages in a folder."""
    paths = sorted(folder.glob("*.json"))
    return {f"{path.stem}_{name}": value for path in paths for name, value in read_numbers(path).items()}


def recorded_policy_hash(files: CampaignFiles, version: str) -> str | None:
    """Return the hash of a version's policy as training recorded it; None for the base policy, which DVC alone knows.

    Raises:
        LineageError: training.json is missing or damaged.

    """
    if version == BASE_VERSION:
        return None
    return files.version(version).training_summary.read().policy_hash


def read_records(files: CampaignFiles) -> list[VersionRecord]:
    """Return the records of all closed versions of a campaign, in the order of their names."""
    closed = [name for name in files.version_names() if files.version(name).verdict.exists()]
    records = [read_record(files, name) for name in closed]
    corrected: dict[str, dict[str, object]] = {}
    for record in sorted(records, key=_strictness, reverse=True):
        for name, score in record.verdict.rescored.items():
            corrected.setdefault(name, {"rescored": score, "rescored_under": record.verdict.rescored_under})
    return [record.model_copy(update=corrected.get(record.spec.version, {})) for record in records]


def _strictness(record: VersionRecord) -> int:
    """The strictness under which a version scored its peers again; of two the stricter counts, then the earlier."""
    again = record.verdict.rescored_under
    return again.strictness if again is not None else 0


def open_versions(files: CampaignFiles, closed: Collection[str]) -> list[str]:
    """Return the planned versions that are not among the closed ones, in order."""
    return [version for version in files.version_names() if version not in closed]


def read_record(files: CampaignFiles, version: str) -> VersionRecord:
    """Return the record of one closed version; raises LineageError for a file that cannot be read."""
    own = files.version(version)
    audit, training, intervention = own.audit.find(), own.training_summary.find(), intervention_of(own)
    return VersionRecord(
        spec=own.spec.read(),
        intervention=intervention,
        backtest=own.backtest.find() if intervention else None,
        verdict=rejudged(own, own.verdict.read()),
        findings=audit.findings if audit else [],
        metrics=read_numbers(own.metrics),
        harness_version=audit.harness_version if audit else "",
        config_hash=recipe_hash(load_config(own.config)) if own.config.is_file() else "",
        policy_hash=(training.policy_hash if training else None) or None,
        cost=read_costs(own.costs),
        confirmation=own.confirmation.find(),
        ended_by=ended_by(own, has_candidate=intervention is not None),
    )


def open_gaps(files: CampaignFiles, versions: Sequence[str]) -> list[Gap]:
    """Return the gaps of these versions: those of their audits and those of the rollouts they started from."""
    owned = [files.version(version) for version in versions]
    reports = [document.find() for document in (*(own.audit for own in owned), *(own.findings for own in owned))]
    return [gap for report in reports if report is not None for gap in report.gaps]


def write_records(path: Path, records: Sequence[VersionRecord]) -> None:
    """Freeze records as JSON: the same bytes for the same versions, whenever they ran."""
    values = [record.model_dump(mode="json") for record in records]
    for one in values:
        one["cost"] = {name: value for name, value in one["cost"].items() if name.endswith(REPEATABLE_COSTS)}
    write_json_atomic(path, values)


def load_records(path: Path) -> list[VersionRecord]:
    """Return frozen records; empty where the file does not exist, as for the first version."""
    if not path.is_file():
        return []
    try:
        return _RECORDS.validate_json(path.read_bytes())
    except ValidationError as error:
        raise LineageError(f"{path} is not a lineage ({first_error(error)}): {RESTORE}") from None


INDEX = "index.json"


def write_code(folder: Path, config: Config, sources: Mapping[str, str]) -> None:
    """Write the code that a recipe names; raises InterventionError where a text is missing or was changed."""
    named = code_of(config)
    texts = {value: source_of(value, sources) for value in named.values()}
    shutil.rmtree(folder, ignore_errors=True)
    for value, text in texts.items():
        write_atomic(folder / f"{value.removeprefix(FILE_SIGN)}.py", text)
    write_atomic(folder / INDEX, json.dumps(named, indent=1, sort_keys=True) + "\n")


def read_code(folder: Path, config: Config) -> dict[str, str]:
    """Return {reference: text} of the code that a recipe names; raises LineageError where a file is not as frozen."""
    return {value: _read(folder, value) for value in code_of(config).values()}


def sources_of(records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {reference: text} of all code that earlier versions introduced."""
    found = [record.intervention.files for record in records if record.intervention is not None]
    return {value: text for files in found for value, text in files.items()}


def texts_of(values: Iterable[Any], records: Sequence[VersionRecord]) -> dict[str, str]:
    """Return {reference: text} of those values that name code which an earlier version introduced."""
    known = sources_of(records)
    return {value: known[value] for value in values if isinstance(value, str) and value in known}


def _read(folder: Path, value: str) -> str:
    path = folder / f"{value.removeprefix(FILE_SIGN)}.py"
    try:
        text = path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise LineageError(f"{path} cannot be read ({error}): restore it with git checkout") from None
    if reference(text) != value:
        raise LineageError(f"{path} is not the text of {short(value)}: restore it with git checkout")
    return text
