"""`evotrainer diagnose`: the harness over a version's evidence, or checks over rows that this program did not make."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.common import Columns, Json, OwnChecks, RowsFormat, RowsPath, print_json, print_rows, version_of
from cli.program import UsageError
from evotrainer.errors import EvidenceError, LineageError

READER = ("trainer=claude", "budget.total.dollars=5", "trainer.max_retries=2")
"""What one reading may cost, and how long a person waits for an endpoint, unless --set says otherwise."""
SEVERAL = "several files are their folder, or a pattern in quotes, like 'rollouts/*.jsonl'"
ROWS = 3
"""Rows that a finding shows."""
UNLOCKING = 3
"""Columns that are named as those which unlock most."""


def diagnose(
    name: Annotated[str | None, typer.Argument(help="The campaign's name.")] = None,
    version: Annotated[str | None, typer.Argument(help="A version, like v003.")] = None,
    trajectories: RowsPath = None,
    source: RowsFormat = "",
    columns: Columns = None,
    checks: OwnChecks = None,
    reader: Annotated[bool, typer.Option("--reader", help="A model reads the rows too (docs/claude.md).")] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the model that is asked, like trainer.model=NAME.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Also what could not be judged, and all metrics.")] = False,
    json: Json = False,
) -> None:
    """Say what is wrong with a run: findings with numbers and rows to open, and what to do next."""
    if (reader or settings) and trajectories is None:
        raise EvidenceError("--reader reads rows of --trajectories FILE, and --set belongs to it: give all of them")
    if trajectories is not None:
        if name is not None:
            raise EvidenceError(f"say one thing to diagnose: NAME VERSION, or --trajectories FILE; {SEVERAL}")
        report = _foreign_report(trajectories, source, columns, checks or [], reader, settings or [])
    elif name is not None and version is not None:
        report = _stored_report(name, version)
    else:
        raise UsageError("say what to diagnose: NAME VERSION, or --trajectories FILE")
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_report(report, verbose)


def _foreign_report(
    path: Path, source: str, columns: str | None, checks: list[Path], reads: bool, settings: list[str]
) -> Any:
    """Return what the checks, and a model where one is asked, find in rows of another system."""
    from evotrainer.diagnosis.checks import load_checks
    from tasks.diagnose.foreign import diagnosed, read_evidence

    own = [check for file in checks for check in load_checks(file, may_ask=True)]
    asks = reads or any(check.question for check in own)
    if settings and not asks:
        raise EvidenceError("--set belongs to the model of --reader, or of a question in --checks: give one of them")
    model = _model(settings) if asks else None
    foreign, evidence = read_evidence(path, source, mapping_of(columns))
    if model is None:
        return diagnosed(foreign, evidence, own)
    from tasks.diagnose.reading import read_by_model

    return read_by_model(path, foreign, evidence, own, model, reads)


def _stored_report(name: str, version: str) -> Any:
    """Return what the harness said of a version: the audit of its own training, with the metrics of its evaluation."""
    _, own = version_of(name, version)
    report = own.audit.find()
    if report is None:
        raise LineageError(f"{own.root.name} is not evaluated yet: go on with it: evotrainer campaign run {name}")
    return report


def _model(settings: list[str]) -> Any:
    """Return the configuration of the model that is asked; raises ConfigError or AgentError where it could not be."""
    from conf.compose import compose_campaign
    from evotrainer.agents.claude.access import prices_of, read_key
    from evotrainer.campaign.chat_endpoint import ChatEndpoint

    config = compose_campaign([*READER, *settings])
    prices_of(config.trainer)
    read_key(config.trainer, "checks without a question need neither")
    if config.trainer.chat_url:
        ChatEndpoint(config.trainer.chat_url, "trainer.chat_url").models()
    return config


def mapping_of(given: str | None) -> dict[str, str]:
    """Return the columns that are mapped; raises ConfigError or EvidenceError for what is no mapping."""
    from evotrainer.config.yaml_files import read_mapping
    from evotrainer.evidence.foreign.reading import check_mapping

    columns = read_mapping(given) if given is not None else {}
    check_mapping(columns, str(given))
    return columns


def _print_report(report: Any, is_whole: bool) -> None:
    for line in report.overview:
        print(_flat(line))
    causes = [one for one in report.findings if not one.follows_from]
    for finding in causes:
        if finding.severity != "info" or is_whole:
            print_finding(finding, [one for one in report.findings if one.follows_from == finding.mode])
    if not any(one.severity != "info" or is_whole for one in causes):
        print(_nothing_found(report))
    if not is_whole and (num := sum(one.severity == "info" for one in causes)):
        print(f"{'info':<9}{num} more with --verbose")
    for gap in report.gaps:
        print(f"{'gap':<9}{gap.message}")
    _print_unjudged(report, is_whole)
    if report.reading is not None:
        _print_reading(report.reading)
    if is_whole:
        print_rows(["metric", "value"], [[name, f"{value:.6g}"] for name, value in report.metrics.items()])


def _print_reading(reading: Any) -> None:
    """Print what a model was asked, what it read, and what that cost."""
    cost = "no price is set" if reading.dollars is None else f"${reading.dollars:.2f}"
    at = f" at {reading.endpoint}" if reading.endpoint else ""
    print(f"{'model':<9}{reading.model}{at}: {reading.answers} answers, {reading.tokens:,} tokens, {cost}")
    for word, lines in (("asked", reading.questions), ("read", reading.reads), ("refused", reading.refused)):
        for line in lines:
            print(_flat(f"{word:<9}{line}"))
    print(f"{'kept':<9}questions and answers: {reading.record}")


def print_finding(finding: Any, consequences: list[Any]) -> None:
    """Print a finding with its rows, and the modes that follow from it."""
    from evotrainer.records import READER

    by = " (the reader)" if finding.diagnostic == READER else ""
    print(_flat(f"{finding.severity:<9}{finding.mode}{by}: {finding.message}"))
    if finding.trajectory_ids:
        shown = f"  {finding.excerpt}" if finding.excerpt else ""
        print(_flat(f"{'':<9}rows: {', '.join(finding.trajectory_ids[:ROWS])}{shown}"))
    if modes := sorted({one.mode for one in consequences} - {finding.mode}):
        print(_flat(f"{'':<9}from it follows: {', '.join(modes)}"))
    if finding.doubt:
        print(_flat(f"{'':<9}critical by the checks, the reader explains it: {finding.doubt}"))


def _flat(text: str) -> str:
    """Return a text as one line: ids of foreign rows may hold line breaks."""
    return text.replace("\r", "").replace("\n", " ")


def _nothing_found(report: Any) -> str:
    """Return what silence means: it is no all-clear for what could not be looked at."""
    if not report.looked_for:
        return "nothing could be looked for: see below what to record" if report.unjudged else "no findings"
    if len(report.unjudged) > len(report.looked_for):
        return f"nothing found among {len(report.looked_for)} modes; most could not be looked at"
    return f"nothing found among the {len(report.looked_for)} modes looked for: {', '.join(report.looked_for)}"


def _print_unjudged(report: Any, is_whole: bool) -> None:
    """Print how much could not be looked at, and what would unlock most; each of a person's own, or of all, by name."""
    few = [one for one in report.unjudged if one.missing == ["rows"]]
    lacking = [one for one in report.unjudged if one.missing != ["rows"]]
    if few:
        print(f"{', '.join(dict.fromkeys(one.mode for one in few))}: {few[0].advice[0]}")
    if lacking:
        counts = Counter(name for one in lacking for name in one.missing)
        most = ", ".join(name for name, _ in counts.most_common(UNLOCKING))
        need = "1 check needs" if len(lacking) == 1 else f"{len(lacking)} checks need"
        print(f"{need} columns that these rows lack; {most} would unlock most (--verbose)")
        from evotrainer.diagnosis.judgement import OWN
    for one in lacking:
        if is_whole or one.diagnostic == OWN:
            print(_flat(f"{'unjudged':<9}{one.mode}: {'; '.join(one.advice)}"))
