"""What a campaign found out, its keys, and the same bytes again: lineage, why, diff, report, query, reproduce ..."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.common import (
    Json,
    Name,
    Version,
    checkout,
    output_width,
    print_json,
    print_line,
    print_rows,
    print_table,
    read_campaign,
)
from evotrainer.errors import ConfigError, LineageError

if TYPE_CHECKING:
    from evotrainer.records import Comparison

ONE_AUTHOR = 2
"""Rows where one author alone predicted: the first says `all`, the same again."""


def lineage(name: Name, json: Json = False) -> None:
    """Show every version: its place, its change, its score and the verdict."""
    from evotrainer.campaign.repository import read_records

    files = read_campaign(name).files
    records = read_records(files)
    if json:
        print_json([record.model_dump(mode="json") for record in records])
        return
    from evotrainer.campaign.lineage import campaign_floor
    from evotrainer.campaign.trials import skills, trials_of
    from evotrainer.config import load_config
    from evotrainer.promotion.verdict_text import describe_floor
    from evotrainer.report.data import harness_line
    from evotrainer.report.words import SKILL_COLUMNS, lineage_table, score_meaning, skill_row

    config = load_config(files.config)
    print_table(lineage_table(records, output_width()))
    found = [skill_row(skill) for skill in skills(trials_of(records)) if skill.predictions]
    if found:
        print("\npredictions of the authors against what was measured:")
        print_rows(SKILL_COLUMNS, found if len(found) != ONE_AUTHOR else found[1:])
    print_line(f"score: {score_meaning(config.evaluate.attempts)}")
    print_line(f"noise floor {describe_floor(campaign_floor(records))}")
    print_line(f"harness {harness_line(files, config)}")


def harness(name: Name, json: Json = False) -> None:
    """Show how the harness was revised: from which gap, what entered, what it separated, what left and why."""
    from evotrainer.config import load_config
    from evotrainer.report.data import REVISION_COLUMNS, decision_rows, harness_data, harness_line, read_revisions

    files = read_campaign(name).files
    config = load_config(files.config)
    if json:
        print_json(harness_data(files, config))
        return
    print_rows(REVISION_COLUMNS, [row for revision in read_revisions(files) for row in decision_rows(revision)])
    print(f"harness {harness_line(files, config)}")


def why(name: Name, version: Version, json: Json = False) -> None:
    """Say in plain words why a version was promoted, kept, rejected or refused, with the numbers behind it."""
    from evotrainer.campaign.lineage import find
    from evotrainer.campaign.repository import read_records
    from evotrainer.config import load_config
    from evotrainer.report.decision import decision
    from evotrainer.report.gates import answers_data

    files = read_campaign(name).files
    records = read_records(files)
    record, answers = find(records, version), answers_data(files.version(version))
    confidence = load_config(files.config).evaluate.confidence
    lines = decision(record, records, confidence, [answer["words"] for answer in answers])
    if json:
        print_json({"version": version, "lines": lines, "gate_answers": answers})
        return
    for line in lines:
        print_line(line)


def diff(
    name: Name,
    first: Version,
    second: Version,
    every: Annotated[
        bool, typer.Option("--all", help="Every metric that differs, not the leading ones alone.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what sets two versions apart: settings, scores, and the metrics that findings name or that differ most."""
    from dataclasses import asdict

    from evotrainer.campaign.lineage import diff_versions

    found = diff_versions(read_campaign(name).files, first, second)
    if json:
        print_json(asdict(found))
        return
    shown = list(found.metrics) if every else found.leading
    pairs = {**found.changes, **{key: found.metrics[key] for key in shown}}
    rows = [[key, _text(old), _text(new)] for key, (old, new) in pairs.items()]
    print_rows(["", found.first, found.second], [["outcome", *found.outcomes], *rows])
    if left_out := len(found.metrics) - len(shown):
        print(f"{left_out} more metrics differ: --all shows them")


def report(
    name: Name,
    json: Json = False,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Write the report: one HTML page and the score trajectory as an SVG."""
    files = read_campaign(name).files
    if json:
        from evotrainer.report.data import report_data

        print_json(report_data(files))
        return
    from evotrainer.report.page import write_report

    page = Path(write_report(files))
    for path in sorted(page.parent.iterdir()):
        print(path)
    if show:
        _open(page)


def _open(page: Path) -> None:
    import webbrowser

    webbrowser.open(page.as_uri())


def query(name: Name, sql: Annotated[str, typer.Argument(help="One SELECT.")], json: Json = False) -> None:
    """Ask the evidence: one SELECT over the views trajectories, signals, findings, versions."""
    from evotrainer.evidence.digests import versions_without_rows
    from evotrainer.evidence.query import run_query

    files = read_campaign(name).files
    answer = run_query(files, sql)
    if absent := versions_without_rows(files):
        names = ", ".join(absent[:5]) + (", ..." if len(absent) > 5 else "")
        print(
            f"note: rows of {names} are not in this checkout: fetch them with `dvc pull -R versions`", file=sys.stderr
        )
    if json:
        print_json([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
        return
    print_rows(answer.columns, answer.rows)
    if answer.is_cut:
        print(f"only the first {len(answer.rows)} rows are shown: select fewer, or add a LIMIT")


def _text(value: Any) -> str:
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def config(
    text: Annotated[str, typer.Argument(help="Keys that contain this text, like algorithm or tokens.")] = "",
    json: Json = False,
) -> None:
    """List the keys of the configuration with default, allowed values and meaning."""
    from dataclasses import asdict

    from evotrainer.config.reference import reference

    found = [key for key in reference() if text in key.name]
    if not found:
        raise ConfigError(f"no key contains '{text}': `evotrainer config` lists all")
    if json:
        print_json([asdict(key) for key in found])
        return
    rows = [[key.name, _default(key.default), key.allowed, key.factor or "protected", key.meaning] for key in found]
    print_rows(["key", "default", "allowed", "factor", "meaning"], rows)


def _default(value: object) -> str:
    return '""' if value == "" else str(value).lower() if isinstance(value, bool) else str(value)


def reproduce(
    name: Name,
    version: Annotated[str, typer.Argument(help="Like v003; or certificate, the scores on the sealed split.")],
    force: Annotated[bool, typer.Option("--force", help="Recompute every stage, not only what was stored.")] = False,
    remote: Annotated[str | None, typer.Option("--remote", help="Folder or URL of the DVC remote.")] = None,
    json: Json = False,
) -> None:
    """Reproduce a version from its tag, or the certificate, and compare with what was recorded, line by line."""
    import asyncio

    from flows.reproduce import reproduce_recorded

    result = asyncio.run(reproduce_recorded(checkout(), name, version, force, remote))
    if json:
        print_json(
            {
                "campaign": name,
                "version": result.version,
                "stages_run": result.stages_run,
                "difference": result.difference,
                "is_reproduced": result.is_reproduced,
                "changed": result.changed,
            }
        )
    else:
        print_line(f"{name} {result.version}: {result.words}")
        print_line(f"stages run: {', '.join(result.stages_run) or 'none, nothing had changed'}")
        if result.version != "certificate":
            print_line(result.surroundings)
    raise typer.Exit(0 if result.is_reproduced else 1)


def certificate(name: Name, json: Json = False) -> None:
    """Show the scores of v000, v001 and the incumbent on the sealed test split, read once at the campaign's end."""
    stored = read_campaign(name).files.certified.find()
    if stored is None:
        raise LineageError(
            f"campaign '{name}' has no certificate yet: it is made once, after the last version; "
            f"go on with it: evotrainer campaign run {name}"
        )
    if json:
        print_json(stored.model_dump(mode="json"))
        return
    from evotrainer.report.words import CERTIFIED_COLUMNS, certified_row, score_meaning, sharpness

    print_line(f"incumbent: {stored.incumbent}; {stored.num_problems} sealed problems")
    print_rows(CERTIFIED_COLUMNS, [certified_row(one) for one in stored.scores])
    print_line(f"score: {score_meaning(stored.attempts)}; pass@{stored.attempts}: problems with any right attempt")
    print_rows(
        ["against", "of", "difference", "low", "high", "noise floor", "Wilcoxon p"],
        [_compared(one) for one in stored.comparisons],
    )
    if warning := sharpness(stored):
        print_line(warning)


def _compared(found: "Comparison") -> list[str]:
    from evotrainer.promotion.measures import WORDS
    from evotrainer.promotion.verdict_text import p_text

    bounds = [f"{value:+.4f}" for value in (found.difference, found.low, found.high)]
    floor = "-" if found.noise_floor is None else f"{found.noise_floor:.4f}"
    return [found.against, WORDS[found.metric], *bounds, floor, p_text(found.wilcoxon_p).removeprefix("= ")]
