"""A Python environment that holds the packages of requirements.lock alone: what `make setup` installs.

The environment of the test suite holds more (trl brings datasets). Here each package of the lock is a link to
the installed one, so that nothing is downloaded and no other package can be imported.
"""

import importlib.metadata
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def make_locked_environment(folder: Path) -> Path:
    """Make the environment in `folder`; return its Python."""
    venv.create(folder, symlinks=True, with_pip=False)
    (packages,) = folder.glob("lib/python*/site-packages")
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        if not line.startswith("#"):
            _link(importlib.metadata.distribution(line.partition("==")[0]), packages)
    (packages / "evotrainer.pth").write_text(f"{ROOT}\n")
    return folder / "bin" / "python"


def run_locked(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in the repository, without variables that lead to other packages."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run([str(python), *arguments], cwd=ROOT, env=kept, capture_output=True, text=True, check=False)


def _link(package: importlib.metadata.Distribution, packages: Path) -> None:
    files = package.files
    assert files, f"{package.name} lists no files"
    for name in {file.parts[0] for file in files} - {"..", "__pycache__"}:
        place = packages / name
        if not place.exists():
            place.symlink_to(Path(str(package.locate_file(name))))


def installed(python: Path) -> set[str]:
    """Return the names of the packages that the environment finds, written as in the lock."""
    source = "import importlib.metadata as m\nfor d in m.distributions(): print(d.name)"
    done = run_locked(python, "-I", "-c", source)
    return {re.sub(r"[-_.]+", "-", name).lower() for name in done.stdout.split()}


if __name__ == "__main__":
    print(make_locked_environment(Path(sys.argv[1])))
