"""The documentation is tested: its commands, settings, paths, links, tables and examples are those of the code.

Commands that a finished campaign can answer are run by tests/integration/test_shown_commands.py.
"""

import re
from pathlib import Path

import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from typer.core import TyperGroup

from conf.compose import compose_campaign
from evotrainer.algorithm.code.examination import refusals
from evotrainer.algorithm.code.rows import problem_row, rewarded_row
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.code import CODE_KEYS, key_of
from evotrainer.config.factors import CORRECTION, factor_table
from evotrainer.config.interventions import read_written
from evotrainer.domains import DOMAINS, find_domain
from tests.code_sources import groups, problems
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
PLACEHOLDERS = {"seed=N", "evaluate.recipe_seeds=k", "domain.data_path=FILE"}

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


DOCS = ROOT / "docs"
FOLDERS = "benchmarks|cli|conf|docs|evotrainer|flows|harness_plugins|tasks|tests"
EXAMPLES = {
    "conf/campaign.yaml",
    "conf/intervention/v003.yaml",
    "harness_plugins/mine",
    "harness_plugins/small",
    "tests/test_x.py",
}
"""Paths of a campaign's worktree or of a policy's repository, and folders that a reader would make."""
DIALECT = (
    r"\btold\b|\bsurely\b|cr(?:y|ies) wolf|another way|by the digit|too hot|length paid|\bdealt\b|by rote|"
    r"\brows of (?:other|any) making|three in the morning"
)


def links(page: Path) -> list[tuple[Path, str]]:
    """Return (file, anchor) of every link and picture of a page that leads into the repository."""
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!http)([^)]+)\)", text) + re.findall(r"(?:src|srcset)=\"(?!http)([^\"]+)\"", text)
    parts = [target.partition("#") for target in targets]
    return [((page.parent / path).resolve() if path else page, anchor) for path, _, anchor in parts]


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), f"{page.name} links {target.relative_to(ROOT)}"
        assert not anchor or anchor in anchors(target), f"{page.name} links {target.name}#{anchor}"


def test_every_page_and_picture_can_be_reached_from_the_readme() -> None:
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        if page.is_dir():
            waiting += page.iterdir()
        elif page.suffix == ".md" and (DOCS in page.parents or page.parent == ROOT):
            waiting += [target for target, _ in links(page)]
    missing = {path for folder in (DOCS, DOCS / "images") for path in folder.iterdir()} - seen
    assert {path.name for path in missing if path.is_file()} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in set(re.findall(rf"(?<![\w/.])(?:{FOLDERS})/[\w./<>*-]*", text)) - EXAMPLES:
        pattern = re.sub(r"<\w+>", "*", path.rstrip("./"))
        assert list(ROOT.glob(pattern)), f"{page.name} names {path}"


def test_the_guide_names_what_stands_in_the_file() -> None:
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]*\| `([\w/.]+\.py)` \| `(\w+)` \|", text, re.MULTILINE)
    assert len(rows) >= 10
    for path, name in rows:
        assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8")), f"AGENTS.md: {path} has no {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_written_in_plain_technical_english(page: Path) -> None:
    assert re.findall(DIALECT, page.read_text(encoding="utf-8"), re.IGNORECASE) == []


RECIPE, INTERVENTIONS = ((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("recipe", "interventions"))
ALL = factor_table([CORRECTION, *(factor for name in DOMAINS for factor in find_domain(name).factors)])


def test_the_table_of_factors_is_the_table_of_the_code():
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.+?) \| ", RECIPE, re.MULTILINE)
    shown = {name: (family, tuple(re.findall(r"`([\w.]+)`", keys))) for name, family, keys in rows}
    assert shown == {factor.name: (factor.family, factor.keys) for factor in ALL.values()}


def test_the_values_of_the_default_recipe_are_those_shown():
    flat = flatten(config_to_dict(Config()))
    rows = re.findall(r"^\| `([\w.]+)` \| \S+ \| ([\d.e-]+) \|", RECIPE, re.MULTILINE)
    assert len(rows) >= 5
    for key, value in rows:
        assert flat[key] == float(value), key


def test_the_example_in_the_text_is_well_formed():
    (text,) = re.findall(r"```yaml\n(.*?)```", INTERVENTIONS, re.DOTALL)
    example = yaml.safe_load(text)
    assert example["intervention"]["factor"] in ALL
    assert set(example["intervention"]["diff"]) <= set(ALL[example["intervention"]["factor"]].keys)


CODE_EXAMPLES = re.findall(r"```python\n(.*?)```", INTERVENTIONS, re.DOTALL)


@pytest.mark.parametrize("text", CODE_EXAMPLES, ids=lambda text: text.split("(")[0])
def test_an_example_may_train(text):
    assert refusals(key_of(text), text, groups(), problems()) == []


def test_each_key_is_shown_with_its_function():
    assert dict(re.findall(r"^\| `([a-z_.]+)` \| `(\w+)\(", INTERVENTIONS, re.MULTILINE)) == CODE_KEYS


def test_each_field_of_the_code_is_named():
    named = set(re.findall(r"`(\w+)`", INTERVENTIONS))
    assert rewarded_row(groups()[0]).keys() | problem_row(problems()[0], 0.5).keys() <= named


def test_the_shipped_example_may_train():
    written = read_written(ROOT / "conf" / "intervention" / "brief_answers.yaml")
    ((key, value),) = written.setting.items()
    assert refusals(key, written.files[value], groups(), problems()) == []


NOTEBOOK = DOCS / "notebooks" / "evidence.ipynb"


@pytest.mark.slow
def test_the_notebook_runs(written_campaign: CampaignFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVOTRAINER_CAMPAIGN", str(written_campaign.root))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not stored"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parents[2])}}).execute()
    shown = [
        output["data"]["text/plain"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "execute_result"
    ]
    assert len(shown) == 5
    for record in read_records(written_campaign):
        assert record.spec.version in shown[0]
        assert record.verdict.score is None or f"{record.verdict.score:.6f}" in shown[0]
