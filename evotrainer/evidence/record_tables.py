"""The views of what a version's records say: one row a finding, one row a version.

A module of its own, since a question about rows alone needs no records.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import intervention_of
from evotrainer.evidence import visibility
from evotrainer.records import Record

_FINDINGS = """
    version VARCHAR, stage VARCHAR, mode VARCHAR, severity VARCHAR, diagnostic VARCHAR, step BIGINT, message VARCHAR,
    numbers MAP(VARCHAR, DOUBLE), thresholds MAP(VARCHAR, DOUBLE), trajectory_ids VARCHAR[]
"""
_VERSIONS = """
    version VARCHAR, generation BIGINT, slot BIGINT, kind VARCHAR, parents VARCHAR[], incumbent VARCHAR,
    outcome VARCHAR, label VARCHAR, claim VARCHAR, score DOUBLE, low DOUBLE, high DOUBLE, greedy_score DOUBLE,
    factor VARCHAR, intervention_id VARCHAR, hypothesis VARCHAR,
    prediction_metric VARCHAR, prediction_size DOUBLE, prediction_observed DOUBLE, prediction_hit BOOLEAN,
    backtest_accepted BOOLEAN, predicted_effect DOUBLE, gate_version VARCHAR, harness_version VARCHAR,
    recipe VARCHAR, recipe_difference DOUBLE, recipe_minimum DOUBLE, attribution VARCHAR, metrics MAP(VARCHAR, DOUBLE)
"""


def create_record_tables(
    connection: duckdb.DuckDBPyConnection, files: CampaignFiles, names: Sequence[str], for_agent: bool
) -> None:
    """Create the tables `findings` and `versions`; an agent's lack what rests on validation rows."""
    _create_table(connection, "findings", _FINDINGS, _findings(files, names, for_agent))
    _create_table(connection, "versions", _VERSIONS, _versions(files, names, for_agent))


def _create_table(
    connection: duckdb.DuckDBPyConnection, name: str, columns: str, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Create a table from plain values. Neither Arrow nor a frame holds them: that would import pandas, 0.2 s."""
    connection.execute(f"CREATE TABLE {name} ({columns})")
    known = [column[0] for column in connection.execute(f"SELECT * FROM {name}").description or []]
    if rows:
        values = [[row[column] for column in known] for row in rows]
        connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(known))})", values)


def _findings(files: CampaignFiles, names: Sequence[str], for_agent: bool) -> list[dict[str, Any]]:
    rows = []
    for name in names:
        version = files.version(name)
        reports = {"diagnose": version.findings.find(), "audit": version.audit.find()}
        for stage, report in reports.items():
            for finding in report.findings if report is not None else []:
                if for_agent and visibility.rests_on_validation(finding):
                    continue
                maps = {"numbers": _pairs(finding.numbers), "thresholds": _pairs(finding.thresholds)}
                rows.append({**dict(finding), **maps, "version": name, "stage": stage})
    return rows


def _versions(files: CampaignFiles, names: Sequence[str], for_agent: bool) -> list[dict[str, Any]]:
    rows = [_version(files, name) for name in names]
    if not for_agent:
        return rows
    return [row | {"greedy_score": None, "metrics": _pairs(_without_validation(row["metrics"]))} for row in rows]


def _without_validation(metrics: Mapping[str, list[Any]]) -> dict[str, float]:
    pairs = zip(metrics["key"], metrics["value"], strict=True)
    return {name: value for name, value in pairs if not visibility.is_hidden(name)}


def _version(files: CampaignFiles, name: str) -> dict[str, Any]:
    """Return one row of the versions view; what a version has not reached yet is null."""
    version = files.version(name)
    verdict, backtest, chosen = version.verdict.find(), version.backtest.find(), intervention_of(version)
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
        "metrics": _pairs(read_numbers(version.metrics)),
    }


def _columns(record: Record | None, *names: str, **renamed: str) -> dict[str, Any]:
    """Return {column: field of the record}, null without a record; `renamed` gives the fields of other columns."""
    fields = {**dict(zip(names, names, strict=True)), **renamed}
    return {column: getattr(record, name) if record is not None else None for column, name in fields.items()}


def _pairs(values: Mapping[str, float]) -> dict[str, list[Any]]:
    """Return the values as DuckDB binds a MAP."""
    return {"key": sorted(values), "value": [values[name] for name in sorted(values)]}
