"""The documentation is tested: its commands exist with their options, its settings compose.

Commands that a finished campaign can answer are run by tests/integration/test_shown_commands.py.
"""

import re

import pytest
from typer.core import TyperGroup

from conf.compose import compose_campaign
from tests.shown_commands import PAGES, ROOT, Shown, dry_run, named, parsed, settings, shown_commands

SHOWN = shown_commands()
MADE = sorted({shown.line for shown in SHOWN if shown.program == "make"})
TYPED = [shown for shown in SHOWN if shown.program != "make"]


@pytest.mark.parametrize("shown", TYPED, ids=lambda shown: f"{shown.page}: {shown.line}")
def test_a_documented_command_exists_with_its_arguments(shown: Shown) -> None:
    command, words = named(shown)
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    used = {word.split("=")[0] for word in words if word.startswith("--")}
    assert used <= known | {"--help", "--install-completion"}, "an unknown option"
    if shown.in_block:
        assert not isinstance(command, TyperGroup)
        assert parsed(shown)


@pytest.mark.parametrize("line", MADE)
def test_a_documented_target_of_make_exists(line: str) -> None:
    assert dry_run(line)


SETTINGS = sorted({tuple(found) for shown in TYPED if (found := settings(shown))})


@pytest.mark.parametrize("found", SETTINGS, ids=" ".join)
def test_documented_settings_compose(found: tuple[str, ...]) -> None:
    assert compose_campaign(found)


NAMED = sorted(
    {found for page in PAGES for found in re.findall(r"`([a-z_]+(?:\.[a-z_]+)?=[\w.+-]+)`", page.read_text())}
)
PLACEHOLDERS = {"seed=N", "evaluate.recipe_seeds=k", "harness.thresholds.NAME=VALUE", "domain.data_path=FILE"}

NEEDED = {
    "domain.access=": "domain=swe",
    "engine.gradient_checkpointing=": "policy.path=models/own",
    "engine.lora.": "policy.path=models/own",
    "engine.precision=": "policy.path=models/own",
    "engine.micro_batch_tokens=": "policy.path=models/own",
    "engine.optimiser=": "policy.path=models/own",
}
"""What a setting stands beside."""


@pytest.mark.parts
def test_settings_named_in_the_text_compose() -> None:
    for setting in NAMED:
        if setting not in PLACEHOLDERS:
            needed = " ".join(settings for start, settings in NEEDED.items() if setting.startswith(start))
            assert compose_campaign([*needed.split(), setting]), setting


def test_ci_runs_the_test_command_of_the_readme() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    shown = {shown.line for shown in SHOWN if shown.page == "README.md" and shown.program == "make"}
    assert lines[0] == "#!/usr/bin/env bash" and lines[-1] == "make test-all"
    assert lines[-1] in shown
