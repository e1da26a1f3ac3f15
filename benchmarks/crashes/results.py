"""What a campaign left, as far as a repetition must give it again: clocks, costs and receipts are left out."""

import subprocess
from pathlib import Path

WITHOUT = ("/costs/", "/receipt.json", "budget.json", "report/")


def left_by(main: Path, name: str) -> dict[str, str]:
    """Return {path: hash} of what the campaign's branch holds, and the versions that are tagged."""
    listed = _git(main, "ls-tree", "-r", f"campaign/{name}").splitlines()
    found = {line.partition("\t")[2]: line.split()[2] for line in listed}
    tags = {f"tag {tag}": "" for tag in _git(main, "tag", "--list", f"version/{name}/*").split()}
    return {path: digest for path, digest in found.items() if not any(part in f"/{path}" for part in WITHOUT)} | tags


def leftovers(main: Path, name: str) -> list[str]:
    """Return partial files, and lock files of git, that a finished campaign should not leave."""
    root = main / "campaigns" / name
    partial = [path for path in root.rglob("*.partial") if path.exists()]
    locks = [path for path in (main / ".git").rglob("*.lock") if path.is_file()]
    return [str(path.relative_to(main)) for path in (*partial, *locks)]


def _git(main: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=main, text=True, check=True, capture_output=True).stdout
