"""`evotrainer lineage | diff | harness | report | query`: what a campaign found out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from cli.output import Json, Name, Version, load_tables, output_width, print_json, print_line, print_rows, print_table

if TYPE_CHECKING:
    from evotrainer.records import VersionRecord


ONE_AUTHOR = 2
"""Rows where one author alone predicted: the first says `all`, the same again."""


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    for command in (lineage, diff, harness, report):
        app.command()(command)
    app.command(cls=SqlCommand)(query)


def lineage(
    name: Name,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Instead, every pair of versions on the screening rows.")
    ] = False,
    json: Json = False,
) -> None:
    """Show every version: its place, its change, its score and the verdict."""
    from evotrainer.campaign.repository import read_records

    records = read_records(_files(name))
    if pairs:
        _show_pairs(name, records, json)
        return
    if json:
        print_json([record.model_dump(mode="json") for record in records])
        return
    from evotrainer.campaign.lineage import campaign_floor
    from evotrainer.campaign.trials import skills, trials_of
    from evotrainer.promotion.verdict_text import describe_floor
    from evotrainer.report.tables import SKILL_COLUMNS, lineage_table, skill_row

    print_table(lineage_table(records, output_width()))
    found = [skill_row(skill) for skill in skills(trials_of(records)) if skill.predictions]
    if found:
        print("\npredictions of the authors against what was measured:")
        print_rows(SKILL_COLUMNS, found if len(found) != ONE_AUTHOR else found[1:])
    print_line(f"noise floor {describe_floor(campaign_floor(records))}")
    print_line(f"harness {_harness_line(name)}")


def _show_pairs(name: str, records: "list[VersionRecord]", json: bool) -> None:
    from evotrainer.report.tables import PAIR_COLUMNS, all_pairs, pair_rows

    found = all_pairs(_files(name), records)
    if json:
        print_json(found)
        return
    print_rows(PAIR_COLUMNS, pair_rows(found))
    print("screening rows, one interval a pair, not corrected for their number: the verdicts stand in the lineage")


def harness(name: Name, json: Json = False) -> None:
    """Show how the harness was revised: from which gap, what entered, what it separated, what left and why."""
    from evotrainer.config import load_config
    from evotrainer.report.revisions import REVISION_COLUMNS, decision_rows, harness_data, read_revisions

    files = _files(name)
    if json:
        print_json(harness_data(files, load_config(files.config)))
        return
    print_rows(REVISION_COLUMNS, [row for revision in read_revisions(files) for row in decision_rows(revision)])
    print(f"harness {_harness_line(name)}")


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

    found = diff_versions(_files(name), first, second)
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
    files = _files(name)
    if json:
        from evotrainer.campaign.repository import read_records
        from evotrainer.report.data import report_data
        from evotrainer.report.running import begun_data

        print_json(report_data(files) if read_records(files) else begun_data(files))
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


class SqlCommand(TyperCommand):
    """A command that takes SQL, which may begin with a comment: `-- why` is no option, since no option has a blank."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; SQL that begins with a dash gets a blank before it."""
        return super().parse_args(ctx, [f" {one}" if one[:1] == "-" and len(one.split()) > 1 else one for one in args])


def query(name: Name, sql: Annotated[str, typer.Argument(help="One SELECT.")], json: Json = False) -> None:
    """Ask the evidence: one SELECT over the views trajectories, signals, findings, versions."""
    from evotrainer.evidence.digests import versions_without_rows

    files, answer = _asked(name, sql)
    if absent := versions_without_rows(files):
        told = ", ".join(absent[:5]) + (", ..." if len(absent) > 5 else "")
        print(f"note: rows of {told} are not in this checkout: fetch them with `dvc pull -R versions`", file=sys.stderr)
    if json:
        print_json([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
        return
    print_rows(answer.columns, answer.rows)
    if answer.is_cut:
        print(f"only the first {len(answer.rows)} rows are shown: select fewer, or add a LIMIT")


def _asked(name: str, sql: str) -> tuple[Any, Any]:
    """Return a campaign's files and its answer; the query's process works while results are held to what was recorded.

    An error of the campaign comes before one of the query.
    """
    from concurrent.futures import ThreadPoolExecutor

    from evotrainer.evidence.query import run_query
    from flows.workspace.worktree import Workspace, check_name, is_in_place, project_root

    workspace = Workspace(project_root(), check_name(name))
    if not is_in_place(workspace):
        return (files := _files(name)), run_query(files, sql)
    with ThreadPoolExecutor(1) as beside:
        answer = beside.submit(run_query, workspace.files, sql)
        files = _files(name)
        load_tables()
        return files, answer.result()


def _files(name: str) -> Any:
    from flows.workspace.closed_versions import readable_campaign
    from flows.workspace.worktree import project_root

    return readable_campaign(project_root(), name).files


def _harness_line(name: str) -> str:
    from evotrainer.config import load_config
    from evotrainer.report.revisions import harness_line

    files = _files(name)
    return harness_line(files, load_config(files.config))


def _text(value: Any) -> str:
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
