"""`evotrainer why | config`: a decision in plain words, and every key of the configuration."""

from typing import Annotated

import typer

from cli.output import Json, Name, Version, print_json, print_line, print_rows


def add_commands(app: typer.Typer) -> None:
    """Register the commands of this module."""
    app.command()(why)
    app.command()(config)


def why(name: Name, version: Version, json: Json = False) -> None:
    """Say in plain words why a version was promoted, kept, rejected or refused, with the numbers behind it."""
    from evotrainer.campaign.lineage import find
    from evotrainer.campaign.repository import read_records
    from evotrainer.config import load_config
    from evotrainer.report.decision import decision
    from evotrainer.report.gates import answers_data
    from flows.workspace.closed_versions import readable_campaign
    from flows.workspace.worktree import project_root

    files = readable_campaign(project_root(), name).files
    records = read_records(files)
    record, answers = find(records, version), answers_data(files.version(version))
    confidence = load_config(files.config).evaluate.confidence
    lines = decision(record, records, confidence, [answer["words"] for answer in answers])
    if json:
        print_json({"version": version, "lines": lines, "gate_answers": answers})
        return
    for line in lines:
        print_line(line)


def config(
    text: Annotated[str, typer.Argument(help="Keys that contain this text, like algorithm or tokens.")] = "",
    json: Json = False,
) -> None:
    """List the keys of the configuration with default, allowed values and meaning."""
    from dataclasses import asdict

    from evotrainer.config.reference import reference
    from evotrainer.errors import ConfigError

    found = [key for key in reference() if text in key.name]
    if not found:
        raise ConfigError(f"no key contains '{text}': `evotrainer config` lists all")
    if json:
        print_json([asdict(key) for key in found])
        return
    rows = [[key.name, _value(key.default), key.allowed, key.factor or "protected", key.meaning] for key in found]
    print_rows(["key", "default", "allowed", "factor", "meaning"], rows)


def _value(value: object) -> str:
    return '""' if value == "" else str(value).lower() if isinstance(value, bool) else str(value)
