"""The example of a training script, with less to do."""

import shutil
from pathlib import Path

from evotrainer.domains.script.trial import EXAMPLE, read_task, with_number


def small_copy(target: Path, num_characters: int, **numbers: float) -> Path:
    """Copy the example, its texts cut and some of its numbers set."""
    shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("train", "held"):
        text = target / "text" / f"{name}.txt"
        text.write_text(text.read_text()[:num_characters])
    source = (target / "train.py").read_text()
    for name, value in numbers.items():
        source = with_number(source, name, value)
    (target / "train.py").write_text(source)
    return target


def originals(folder: Path) -> dict[str, str]:
    """Return the texts of a task's files."""
    return {name: (folder / name).read_text() for name in read_task(folder).files}
