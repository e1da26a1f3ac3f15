"""Byte code of the code, made once: by set-up in the main checkout, by copy in a campaign's worktree.

    python -m flows.workspace.byte_code                                  compiles the checkout around this file

    evotrainer/errors.py, __pycache__/errors.*.pyc  ->  campaigns/<name>/evotrainer/__pycache__/errors.*.pyc

It holds the hash of its source, and Python compares that with the file that lies there, whatever the file's time (PEP
552). So a changed file is never run as it was before. Byte code of other kinds is not copied.
"""

import compileall
import py_compile
import shutil
from pathlib import Path

OF_CAMPAIGNS = ("conf", "evotrainer", "harness_plugins", "tasks")
"""What stages and DVC workers import; flows and commands run from the main checkout."""
PACKAGES = (*OF_CAMPAIGNS, "cli", "flows")
FLAGS = slice(4, 8)
CHECKED_HASH = (0b11).to_bytes(4, "little")


def compile_code(root: Path) -> None:
    """Compile all of it, on all processors: a second or two."""
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    for package in PACKAGES:
        compileall.compile_dir(root / package, quiet=1, workers=0, invalidation_mode=mode)


def copy_byte_code(main: Path, root: Path) -> None:
    """Copy the byte code of packages that campaigns import, for folders that the worktree has."""
    for package in OF_CAMPAIGNS:
        for cache in (main / package).rglob("__pycache__"):
            target = root / cache.relative_to(main)
            if target.parent.is_dir():
                _copy(cache, target)


def _copy(cache: Path, target: Path) -> None:
    target.mkdir(exist_ok=True)
    for path in cache.glob("*.pyc"):
        with path.open("rb") as file:
            is_checked = file.read(FLAGS.stop)[FLAGS] == CHECKED_HASH
        if is_checked:
            shutil.copyfile(path, target / path.name)


if __name__ == "__main__":
    compile_code(Path(__file__).resolve().parents[2])
