"""The documentation holds together: pages are reachable, links and anchors lead somewhere, named paths exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "AGENTS.md", *DOCS.glob("*.md")])
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
    for named in set(re.findall(rf"(?<![\w/.])(?:{FOLDERS})/[\w./<>*-]*", text)) - EXAMPLES:
        pattern = re.sub(r"<\w+>", "*", named.rstrip("./"))
        assert list(ROOT.glob(pattern)), f"{page.name} names {named}"


def test_the_guide_names_what_stands_in_the_file() -> None:
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]*\| `([\w/.]+\.py)` \| `(\w+)` \|", text, re.MULTILINE)
    assert len(rows) >= 10
    for path, name in rows:
        assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8")), f"AGENTS.md: {path} has no {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_written_in_plain_technical_english(page: Path) -> None:
    assert re.findall(DIALECT, page.read_text(encoding="utf-8"), re.IGNORECASE) == []
