"""`make size`: the size of the tree beside its budgets. Lines are those of `.py`; words are split at spaces."""

from pathlib import Path

from benchmarks.markdown import markdown_table

PRODUCT = ("cli", "conf", "evotrainer", "flows", "harness_plugins", "tasks")
ROOT = Path(__file__).parents[1]


def size_table() -> str:
    """Return a Markdown table, one row a budget."""
    product, benchmarks, tests = (_files(rooms, "*.py") for rooms in (PRODUCT, ("benchmarks",), ("tests",)))
    pages = [ROOT / "README.md", ROOT / "AGENTS.md", *_files(("docs",), "*.md")]
    packages = {path.parent for path in _files(("evotrainer",), "*.py")} - {ROOT / "evotrainer"}
    rows = [
        ("product, lines", _lines(product), 46_000),
        ("product, modules", len(product), 400),
        ("benchmarks, lines", _lines(benchmarks), 8_000),
        ("tests, lines", _lines(tests), 30_000),
        ("README, AGENTS and docs, words", sum(len(_text(path).split()) for path in pages), 40_000),
        ("README, AGENTS and docs, pages", len(pages), 24),
        ("LOG.md, lines", _lines([ROOT / "LOG.md"]), 300),
        ("packages below evotrainer/", len(packages), 30),
    ]
    return markdown_table("size | now | budget", [[name, f"{now:,}", f"{most:,}"] for name, now, most in rows])


def _files(rooms: tuple[str, ...], pattern: str) -> list[Path]:
    return [path for room in rooms for path in (ROOT / room).rglob(pattern) if "__pycache__" not in path.parts]


def _lines(files: list[Path]) -> int:
    return sum(len(_text(path).splitlines()) for path in files)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    print(size_table())
