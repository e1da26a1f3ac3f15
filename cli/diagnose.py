"""`evotrainer diagnose`: the harness over a version's evidence, or over rows that this program did not make."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.output import Json, print_json, print_rows
from cli.paths import named_path

READER_DOLLARS = 5
"""What one reading may cost, unless --set says otherwise."""
SEVERAL = "several files are their folder, or a pattern in quotes, like 'rollouts/*.jsonl'"
RULES_ALONE = (
    "note: the rules alone found six to nine in ten of the faults that they were not written for, with a model beside "
    "them nearly all: --reader (docs/foreign_evidence.md)"
)


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(diagnose)


def diagnose(
    name: Annotated[str | None, typer.Argument(help="The campaign's name.")] = None,
    version: Annotated[str | None, typer.Argument(help="A version, like v003.")] = None,
    trajectories: Annotated[
        Path | None,
        typer.Option(
            "--trajectories",
            parser=named_path,
            metavar="<path>",
            help="Attempts of any system: a file, a folder or a pattern.",
        ),
    ] = None,
    source: Annotated[
        str, typer.Option("--from", help="Their format, like verl or trl; without it, it is recognised.")
    ] = "",
    columns: Annotated[
        Path | None, typer.Option("--map", help="A YAML file of columns, our name: name in the file.")
    ] = None,
    threshold: Annotated[list[str] | None, typer.Option("--threshold", help="Another limit, NAME=NUMBER.")] = None,
    actions: Annotated[
        Path | None, typer.Option("--actions", help="Own rows of evotrainer/actions/table.yaml, a YAML file.")
    ] = None,
    reader: Annotated[bool, typer.Option("--reader", help="A model reads the rows too (docs/claude.md).")] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the reader, like trainer.model=NAME.")
    ] = None,
    json: Json = False,
) -> None:
    """Say what is wrong with a run: findings with numbers and rows to open, and all metrics."""
    from evotrainer.errors import EvidenceError
    from tasks.diagnose.stage import diagnose_rows

    if (reader or settings) and (trajectories is None or not reader):
        raise EvidenceError("--reader reads rows of --trajectories FILE, and --set belongs to it: give all of them")
    model = _reader(settings or []) if reader else None
    if trajectories is not None:
        if name is not None:
            raise EvidenceError(f"say one thing to diagnose: NAME VERSION, or --trajectories FILE; {SEVERAL}")
        mapping = _mapping(columns)
        report = diagnose_rows(trajectories, _limits(threshold or []), _own_actions(actions), source, mapping)
        if model is not None:
            from tasks.diagnose.reading import read_by_model

            report = read_by_model(trajectories, report, model, source, mapping)
    elif name is not None and version is not None:
        report = _stored_report(name, version)
    else:
        raise EvidenceError("say what to diagnose: NAME VERSION, or --trajectories FILE")
    if json:
        print_json(report.model_dump(mode="json"))
        return
    _print_report(report)
    if trajectories is not None and not reader:
        print(RULES_ALONE, file=sys.stderr)


def _stored_report(name: str, version: str) -> Any:
    """Return what the harness said of a version: the audit of its own training, with the metrics of its evaluation."""
    from evotrainer.campaign.layout import parse_version
    from evotrainer.campaign.repository import StoredVersion
    from evotrainer.errors import LineageError
    from flows.workspace.recorded import readable_campaign
    from flows.workspace.worktree import find_version, project_root

    workspace = readable_campaign(project_root(), name)
    found = find_version(workspace, parse_version(version))
    report = StoredVersion(workspace.files.version(found)).audit.find()
    if report is None:
        raise LineageError(f"{found} is not evaluated yet: go on with it: evotrainer campaign run {name}")
    return report


def _reader(settings: list[str]) -> Any:
    """Return the configuration of the model that reads; raises AgentError where it could not be asked."""
    from conf.compose import compose_campaign
    from evotrainer.agents.claude.key import read_key
    from evotrainer.agents.claude.metering import prices_of

    config = compose_campaign(["trainer=claude", f"budget.total.dollars={READER_DOLLARS}", *settings])
    prices_of(config.trainer)
    read_key(config.trainer, "without --reader the rules need neither")
    return config


def _own_actions(path: Path | None) -> dict[str, Any]:
    from evotrainer.config.yaml_file import read_yaml_file

    otherwise = "holds no sections of a table of actions: see evotrainer/actions/table.yaml"
    return {} if path is None else read_yaml_file(path, otherwise)


def _mapping(path: Path | None) -> dict[str, str]:
    from evotrainer.config.yaml_file import read_yaml_file
    from evotrainer.errors import ConfigError
    from evotrainer.evidence.foreign import check_mapping

    if path is None:
        return {}
    values = read_yaml_file(path, "maps no columns: write one a line, our name: name in the file")
    for ours, theirs in values.items():
        if not isinstance(theirs, str | int) or isinstance(theirs, bool):
            raise ConfigError(f"{path}: '{ours}' is mapped to no name: write it as text, our name: name in the file")
    columns = {str(ours): str(theirs) for ours, theirs in values.items()}
    check_mapping(columns, str(path))
    return columns


def _limits(settings: list[str]) -> dict[str, float]:
    from evotrainer.errors import ConfigError

    limits = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise ConfigError(f"'{setting}' sets no threshold: write --threshold NAME=NUMBER")
        try:
            limits[name] = float(value)
        except ValueError:
            raise ConfigError(f"'{value}' is no number: write --threshold {name}=NUMBER") from None
    return limits


def _print_report(report: Any) -> None:
    from evotrainer.records import READER

    for finding in report.findings:
        by = " (the reader)" if finding.diagnostic == READER else ""
        print(_inert(f"{finding.severity:<9}{finding.mode}{by}: {finding.message}"))
        if finding.trajectory_ids:
            print(_inert(f"{'':<9}rows: {', '.join(finding.trajectory_ids[:5])}"))
        if finding.doubt:
            print(_inert(f"{'':<9}critical by the rules, the reader explains it: {finding.doubt}"))
    if not report.findings:
        print(_nothing_found(report))
    elif report.looked_for:
        print(f"looked for {len(report.looked_for)} modes: {', '.join(report.looked_for)}")
    for gap in report.gaps:
        print(f"{'gap':<9}{gap.kind}: {gap.message}")
    _print_unjudged(report)
    print_rows(["metric", "value"], [[name, f"{value:.6g}"] for name, value in report.metrics.items()])


def _inert(text: str) -> str:
    """Return a text whose control characters are spelled out: ids of foreign rows may hold escapes of a terminal."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def _nothing_found(report: Any) -> str:
    """Return what silence means: a stored report is of our own rows, which hold all that is needed."""
    if report.looked_for:
        return f"nothing found among the {len(report.looked_for)} modes looked for: {', '.join(report.looked_for)}"
    return "nothing could be looked for: see below what to record" if report.unjudged else "no findings"


def _print_unjudged(report: Any) -> None:
    """Print what could not be looked for, or by signs alone, by what is missing, and how to record it."""
    for word, ones in (("unjudged", report.unjudged), ("by signs", report.signs_only)):
        modes: dict[tuple[str, ...], list[str]] = {}
        advice: dict[tuple[str, ...], list[str]] = {}
        for one in ones:
            named = modes.setdefault(tuple(one.missing), [])
            named += [] if one.mode in named else [one.mode]
            advice[tuple(one.missing)] = one.advice
        for missing, found in modes.items():
            print(f"{word:<9}{', '.join(found)}: {'; '.join(advice[missing])}")
