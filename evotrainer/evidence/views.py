"""A campaign's evidence as DuckDB views in memory: the definition of the rows that queries read.

    trajectories      sampled validation attempts: `avg(correct)` by version is the version's score
    all_trajectories  every stored row, with `stage`: rollout, training, validation, greedy, gate, confirm, certificate
    features, tokens  by trajectory_id, with `stage`
    signals           one row an optimiser step
    findings          findings of the harness, with `stage`: diagnose (before training) or audit (after)
    versions          one row a version: place, intervention, verdict, metrics

Parquet stays on disk and is read as far as a question needs. Rows of the sealed test split exist below certificate/
only and join once its summary does. A query is exactly one SELECT, as DuckDB's own parser reads it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from evotrainer.campaign.documents import read_numbers
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.errors import EvidenceError
from evotrainer.evidence import visibility
from evotrainer.evidence.digests import SCORED, TABLES, checked_files

STAGES = ("rollout", "training", "validation", "gate", "confirm", "certificate")
VIEWS = ("trajectories", "all_trajectories", "features", "tokens", "signals", "findings", "versions")

TOO_DEEP = "the query is nested too deeply: write it with fewer brackets or terms"
# Rows decoded greedily lie beside the sampled ones of their stage; their `extra` says so.
_STAGE = "CASE WHEN json_extract_string(extra, '$.decoding') = 'greedy' THEN 'greedy' ELSE '{stage}' END"
_FAMILY = "coalesce(json_extract_string(extra, '$.family'), '')"

_FINDINGS = """
    version VARCHAR, stage VARCHAR, mode VARCHAR, severity VARCHAR, diagnostic VARCHAR, step BIGINT, message VARCHAR,
    numbers MAP(VARCHAR, DOUBLE), trajectory_ids VARCHAR[]
"""
_VERSIONS = """
    version VARCHAR, generation BIGINT, slot BIGINT, kind VARCHAR, parents VARCHAR[], incumbent VARCHAR,
    outcome VARCHAR, label VARCHAR, claim VARCHAR, score DOUBLE, low DOUBLE, high DOUBLE, greedy_score DOUBLE,
    factor VARCHAR, intervention_id VARCHAR, diff VARCHAR, hypothesis VARCHAR,
    prediction_metric VARCHAR, prediction_size DOUBLE, prediction_observed DOUBLE, prediction_hit BOOLEAN,
    backtest_accepted BOOLEAN, predicted_effect DOUBLE, gate_version VARCHAR, harness_version VARCHAR,
    recipe VARCHAR, recipe_difference DOUBLE, recipe_minimum DOUBLE, attribution VARCHAR, metrics MAP(VARCHAR, DOUBLE)
"""


def connect_evidence(
    files: CampaignFiles, sql: str, for_agent: bool = False, versions: Sequence[str] | None = None
) -> tuple[duckdb.DuckDBPyConnection, list[Path]]:
    """Return an in-memory connection with the views above that a query mentions, and the Parquet files behind them.

    An agent's lacks the view of validation attempts. Raises EvidenceError for a stored file that is missing or corrupt.
    """
    connection = duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"})
    paths = evidence_paths(files, sql, for_agent, versions)
    for name in dict.fromkeys(table for table, _ in paths):
        _create_rows_view(connection, name, {stage: found for (table, stage), found in paths.items() if table == name})
    if ("trajectories", SCORED) in paths:
        connection.execute(f"CREATE VIEW trajectories AS SELECT * FROM all_trajectories WHERE stage = '{SCORED}'")
    if {"findings", "versions"} & set(_named(sql)) or not _named(sql):
        _create_record_tables(connection, files, _names(files, versions), for_agent)
    return connection, [path for found in paths.values() for path in found]


def evidence_paths(
    files: CampaignFiles, sql: str, for_agent: bool = False, versions: Sequence[str] | None = None
) -> dict[tuple[str, str], list[Path]]:
    """Return the checked Parquet files that a query mentions by (table, stage), or those that an agent may see.

    They are of these versions, or of all; none that the query does not mention is hashed.
    """
    named, names = _named(sql), _names(files, versions)
    wanted = [name for name in TABLES if name in named or not named]
    is_of_scores = wanted == ["trajectories"] and "all_trajectories" not in sql.lower()
    stages = visibility.STAGES if for_agent else (SCORED,) if is_of_scores else STAGES
    found: dict[tuple[str, str], list[Path]] = {}
    for stage in stages:
        directories = _directories(files, names, stage)
        for name in wanted:
            found[name, stage] = [path for directory in directories for path in checked_files(directory, name)]
    return found


def _names(files: CampaignFiles, versions: Sequence[str] | None) -> list[str]:
    return [name for name in files.version_names() if versions is None or name in versions]


def _named(sql: str) -> list[str]:
    """Return the tables that a query mentions; none where it asks for something else, like a list of all."""
    return [name for name in (*TABLES, "findings", "versions") if name in sql.lower()]


def _directories(files: CampaignFiles, names: Sequence[str], stage: str) -> list[Path]:
    """Return the folders that hold rows or signals of a stage; those of the certificate once its summary is there."""
    folders = [getattr(files.version(name), stage) for name in names if stage != "certificate"]
    if stage == "certificate" and any(files.certificate.glob("*.json")):
        folders = [files.certificate]
    held = ("trajectories", "signals.parquet")
    return sorted({path.parent for folder in folders for name in held for path in folder.rglob(name)})


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


def _create_record_tables(
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
                numbers = _pairs(finding.numbers)
                rows.append({**dict(finding), "numbers": numbers, "version": name, "stage": stage})
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
    from evotrainer.campaign.repository import intervention_of  # a question about rows alone does without

    version = files.version(name)
    verdict, backtest, chosen = version.verdict.find(), version.backtest.find(), intervention_of(version)
    confirmation = version.confirmation.find()
    recipe = confirmation.recipe if confirmation else None
    return {
        **_columns(version.spec.read(), "generation", "slot", "kind", "parents", "incumbent"),
        **_columns(verdict, "outcome", "label", "claim", "score", "greedy_score", "gate_version", "harness_version"),
        **_columns(verdict, "prediction_observed", "prediction_hit", low="score_low", high="score_high"),
        **_columns(chosen, "factor", "intervention_id", "hypothesis", diff="change"),
        **_columns(chosen and chosen.prediction, prediction_metric="metric", prediction_size="size"),
        **_columns(backtest, "predicted_effect", backtest_accepted="accepted"),
        **_columns(recipe, recipe="outcome", recipe_difference="difference", recipe_minimum="minimum"),
        **_columns(confirmation, "attribution"),
        "version": name,
        "metrics": _pairs(read_numbers(version.metrics)),
    }


def _columns(record: Any, *names: str, **renamed: str) -> dict[str, Any]:
    """Return {column: field of the record}, null without a record; `renamed` gives the fields of other columns."""
    fields = {**dict(zip(names, names, strict=True)), **renamed}
    return {column: getattr(record, name) if record is not None else None for column, name in fields.items()}


def _pairs(values: Mapping[str, float]) -> dict[str, list[Any]]:
    """Return the values as DuckDB binds a MAP."""
    return {"key": sorted(values), "value": [values[name] for name in sorted(values)]}


def check_select(sql: str) -> None:
    """Raise EvidenceError unless the text is exactly one SELECT."""
    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.OutOfMemoryException:
        raise EvidenceError(TOO_DEEP) from None
    except duckdb.Error as error:
        line = first_line(error)
        raise EvidenceError(line if line == TOO_DEEP else f"this is not SQL: {line}") from None
    if len(statements) != 1:
        raise EvidenceError(f"a query is exactly one SELECT statement, this text holds {len(statements)}")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise EvidenceError(f"a query is a SELECT statement, this one is {statements[0].type.name}: nothing is written")


def first_line(error: Exception) -> str:
    """Return the first line of an error's message; of one that is meant for who sets DuckDB up, what to write."""
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return TOO_DEEP if "Max expression depth" in line else line


def lock(connection: duckdb.DuckDBPyConnection, paths: list[str], memory_megabytes: int) -> None:
    """Allow a query these files alone, and lock the configuration."""
    connection.execute("SET enable_progress_bar = false")  # it would be printed into the answer
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET threads = 1")
    connection.execute(f"SET memory_limit = '{memory_megabytes}MB'")
    connection.execute("SET temp_directory = ''")
    connection.execute("SET allowed_paths = ?", [paths])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
