"""A campaign's evidence as DuckDB views in memory: the definition of the rows that queries read.

    trajectories      sampled validation attempts: `avg(correct)` by version is the version's score
    all_trajectories  every stored row, with `stage`: rollout, training, validation, greedy, gate, confirm, certificate
    features, tokens  by trajectory_id, with `stage`
    signals           one row an optimiser step
    findings          findings of the harness, with `stage`: diagnose (before training) or audit (after)
    versions          one row a version: place, intervention, verdict, metrics

Metrics and audit findings are those of the harness in force where it was revised since (harness/rNN/remeasured.json).
Parquet stays on disk and is read as far as a question needs. Rows of the sealed test split exist below certificate/
only and join once its summary does.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.repository import StoredVersion, remeasured_in_force
from evotrainer.evidence import visibility
from evotrainer.evidence.digests import DIGESTS, TABLES, checked_files
from evotrainer.records import Record, Remeasured

_ROWS = "validation"
_RECORDED = f"- path: {_ROWS}\n"
"""How dvc.lock records the rows that a version's score rests on."""
VIEWS = ("trajectories", "all_trajectories", "features", "tokens", "signals", "findings", "versions")

_FINDINGS = {
    "version": "VARCHAR",
    "stage": "VARCHAR",
    "mode": "VARCHAR",
    "severity": "VARCHAR",
    "diagnostic": "VARCHAR",
    "step": "BIGINT",
    "message": "VARCHAR",
    "numbers": "MAP(VARCHAR, DOUBLE)",
    "thresholds": "MAP(VARCHAR, DOUBLE)",
    "trajectory_ids": "VARCHAR[]",
}
_VERSIONS = {
    "version": "VARCHAR",
    "generation": "BIGINT",
    "slot": "BIGINT",
    "kind": "VARCHAR",
    "parents": "VARCHAR[]",
    "incumbent": "VARCHAR",
    "outcome": "VARCHAR",
    "label": "VARCHAR",
    "claim": "VARCHAR",
    "score": "DOUBLE",
    "low": "DOUBLE",
    "high": "DOUBLE",
    "greedy_score": "DOUBLE",
    "factor": "VARCHAR",
    "intervention_id": "VARCHAR",
    "hypothesis": "VARCHAR",
    "prediction_metric": "VARCHAR",
    "prediction_size": "DOUBLE",
    "prediction_observed": "DOUBLE",
    "prediction_hit": "BOOLEAN",
    "backtest_accepted": "BOOLEAN",
    "predicted_effect": "DOUBLE",
    "gate_version": "VARCHAR",
    "harness_version": "VARCHAR",
    "recipe": "VARCHAR",
    "recipe_difference": "DOUBLE",
    "recipe_minimum": "DOUBLE",
    "attribution": "VARCHAR",
    "metrics": "MAP(VARCHAR, DOUBLE)",
}

# Rows decoded greedily lie beside the sampled ones of their stage; their `extra` says so.
_STAGE = "CASE WHEN json_extract_string(extra, '$.decoding') = 'greedy' THEN 'greedy' ELSE '{stage}' END"
_FAMILY = "coalesce(json_extract_string(extra, '$.family'), '')"


def open_evidence(files: CampaignFiles, sql: str | None = None) -> duckdb.DuckDBPyConnection:
    """Return an in-memory connection with the views above.

    Args:
        files: the campaign.
        sql: the only query to come, if known: Parquet views that it does not mention are left out, unhashed.

    Raises:
        EvidenceError: a stored file is missing or corrupt.

    """
    return connect_evidence(files, evidence_paths(files, sql))


def evidence_paths(
    files: CampaignFiles, sql: str | None = None, for_agent: bool = False, versions: Sequence[str] | None = None
) -> dict[tuple[str, str], list[Path]]:
    """Return the checked Parquet files by (table, stage) of these versions or all, or those that an agent may see."""
    named = [name for name in (*TABLES, "findings", "versions") if sql is None or name in sql.lower()]
    wanted = [name for name in TABLES if name in named or not named]
    paths: dict[tuple[str, str], list[Path]] = {}
    for stage, directories in _stage_directories(files, _names(files, versions)).items():
        if for_agent and stage not in visibility.STAGES:
            continue
        for name in wanted:
            paths[name, stage] = [path for directory in directories for path in checked_files(directory, name)]
    return paths


def connect_evidence(
    files: CampaignFiles,
    paths: dict[tuple[str, str], list[Path]],
    for_agent: bool = False,
    versions: Sequence[str] | None = None,
) -> duckdb.DuckDBPyConnection:
    """Return the connection over already checked files; an agent's lacks the view of validation attempts."""
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"})
    for name in dict.fromkeys(table for table, _ in paths):
        _create_rows_view(connection, name, {stage: found for (table, stage), found in paths.items() if table == name})
    if ("trajectories", "validation") in paths:
        connection.execute("CREATE VIEW trajectories AS SELECT * FROM all_trajectories WHERE stage = 'validation'")
    names = _names(files, versions)
    _create_table(connection, "findings", _FINDINGS, _findings(files, names, for_agent))
    _create_table(connection, "versions", _VERSIONS, _versions(files, names, for_agent))
    return connection


def _names(files: CampaignFiles, versions: Sequence[str] | None) -> list[str]:
    return [name for name in files.version_names() if versions is None or name in versions]


def _stage_directories(files: CampaignFiles, names: Sequence[str]) -> dict[str, list[Path]]:
    versions = [files.version(name) for name in names]
    stages = {
        "rollout": [v.rollout for v in versions],
        "training": [v.training for v in versions],
        "validation": [v.validation for v in versions],
        "gate": [v.gate / arm for v in versions for arm in ("repeat", "candidate", "incumbent")],
        "confirm": _confirmed(versions),
    }
    if any(files.certificate.glob("*.json")):
        stages["certificate"] = [path.parent for path in sorted(files.certificate.rglob(DIGESTS))]
    return stages


def _confirmed(versions: list[VersionFiles]) -> list[Path]:
    """Return the rows of fresh seeds and of merged parts; seeds that several versions share appear once."""
    found: list[Path] = []
    shared: set[str] = set()
    for version in versions:
        confirmation = StoredVersion(version).confirmation.find()
        against = confirmation.recipe.against if confirmation and confirmation.recipe else None
        found += [version.confirm / "candidate", *sorted(version.confirm.glob("parts/*"))]
        if against is not None and against not in shared:
            found.append(version.confirm / "reference")
            shared.add(against)
    return found


def _create_rows_view(connection: duckdb.DuckDBPyConnection, name: str, parts: dict[str, list[Path]]) -> None:
    """Create the view of one Parquet table: all its stages, one below the other."""
    view = "all_trajectories" if name == "trajectories" else name
    sources = {stage: f"read_parquet([{', '.join(map(_quote, found))}])" for stage, found in parts.items() if found}
    if sources:
        selects = [_select(name, stage, source) for stage, source in sources.items()]
        connection.execute(f"CREATE VIEW {view} AS {' UNION ALL '.join(selects)}")
    else:
        from evotrainer.evidence.schema import SCHEMAS  # where there are rows, nothing needs Arrow

        connection.register("no_rows", SCHEMAS[name].empty_table())
        connection.execute(f"CREATE TABLE {view} AS {_select(name, '', 'no_rows')}")
        connection.unregister("no_rows")


def _select(name: str, stage: str, source: str) -> str:
    if name == "signals":
        return f"SELECT * FROM {source}"
    if name == "trajectories":
        return f"SELECT *, {_STAGE.format(stage=stage)} AS stage, {_FAMILY} AS family FROM {source}"
    return f"SELECT *, '{stage}' AS stage FROM {source}"


def _quote(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _create_table(
    connection: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Create a table from plain values. Neither Arrow nor a frame holds them: that would import pandas, 0.2 s."""
    connection.execute(f"CREATE TABLE {name} ({', '.join(f'{column} {kind}' for column, kind in columns.items())})")
    if rows:
        places = ", ".join("?" * len(columns))
        connection.executemany(
            f"INSERT INTO {name} VALUES ({places})", [[row[column] for column in columns] for row in rows]
        )


def _findings(files: CampaignFiles, names: Sequence[str], for_agent: bool) -> list[dict[str, Any]]:
    rows = []
    remeasured = remeasured_in_force(files)
    for name in names:
        version = StoredVersion(files.version(name))
        reports = {"diagnose": version.findings.find(), "audit": remeasured.get(name) or version.audit.find()}
        for stage, report in reports.items():
            for finding in report.findings if report is not None else []:
                if for_agent and stage == "audit" and visibility.rests_on_validation(finding):
                    continue
                maps = {"numbers": _pairs(finding.numbers), "thresholds": _pairs(finding.thresholds)}
                rows.append({**dict(finding), **maps, "version": name, "stage": stage})
    return rows


def _versions(files: CampaignFiles, names: Sequence[str], for_agent: bool) -> list[dict[str, Any]]:
    remeasured = remeasured_in_force(files)
    rows = [_version(files, name, remeasured.get(name)) for name in names]
    if not for_agent:
        return rows
    return [row | {"greedy_score": None, "metrics": _pairs(_without_validation(row["metrics"]))} for row in rows]


def _without_validation(metrics: Mapping[str, list[Any]]) -> dict[str, float]:
    pairs = zip(metrics["key"], metrics["value"], strict=True)
    return {name: value for name, value in pairs if not visibility.is_hidden(name)}


def _version(files: CampaignFiles, name: str, remeasured: Remeasured | None) -> dict[str, Any]:
    """Return one row of the versions view; what a version has not reached yet is null.

    `remeasured` is what the harness in force measures of it, where that was revised since.
    """
    version = StoredVersion(files.version(name))
    verdict, backtest, chosen = version.verdict.find(), version.backtest.find(), version.intervention()
    confirmation = version.confirmation.find()
    recipe = confirmation.recipe if confirmation else None
    return {
        **_columns(version.spec.read(), "generation", "slot", "kind", "parents", "incumbent"),
        **_columns(verdict, "outcome", "label", "claim", "score", "greedy_score", "gate_version", "harness_version"),
        **_columns(verdict, "prediction_observed", "prediction_hit", low="score_low", high="score_high"),
        **_columns(chosen, "factor", "intervention_id", "hypothesis"),
        **_columns(chosen and chosen.prediction, prediction_metric="metric", prediction_size="size"),
        **_columns(backtest, "predicted_effect", backtest_accepted="accepted"),
        **_columns(recipe, recipe="outcome", recipe_difference="difference", recipe_minimum="minimum"),
        **_columns(confirmation, "attribution"),
        "version": name,
        "metrics": _pairs(remeasured.metrics if remeasured else version.metrics()),
    }


def _columns(record: Record | None, *names: str, **renamed: str) -> dict[str, Any]:
    """Return {column: field of the record}, null without a record; `renamed` gives the fields of other columns."""
    fields = {**dict(zip(names, names, strict=True)), **renamed}
    return {column: getattr(record, name) if record is not None else None for column, name in fields.items()}


def _pairs(values: Mapping[str, float]) -> dict[str, list[Any]]:
    """Return the values as DuckDB binds a MAP."""
    return {"key": sorted(values), "value": [values[name] for name in sorted(values)]}


def versions_without_rows(files: CampaignFiles) -> list[str]:
    """Return the versions whose recorded rows are not in this checkout, as in a clone that has not fetched them."""
    locks = sorted(files.versions.glob("*/dvc.lock"))
    recorded = [path.parent for path in locks if _RECORDED in path.read_text(encoding="utf-8")]
    return [folder.name for folder in recorded if not (folder / _ROWS).is_dir()]
