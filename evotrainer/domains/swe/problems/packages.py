"""The folder of installed packages that a row may name: what its repository needs, beside our own environment.

    {"packages": "packages/astropy-5", ...}     made by: pip install --target packages/astropy-5 -r requirements.txt

It stands first on the import path of the row's test runs, which may read it and not write. So two rows may need two
versions of one package. A container image brings an interpreter of its own, which the sandbox cannot fork: of an
unpacked image its site-packages can be named, where they are of our version of Python. pytest is ours, since the
runner watches it from within.
"""

import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from evotrainer.domains.problem_sets.rows import text_of
from evotrainer.errors import DataError

PACKAGES = "packages"
_VERSIONED = ".cpython-"
_OURS = ("pytest", "_pytest", "pluggy")


def packages_of(values: dict[str, Any], place: str) -> dict[str, str]:
    """Return {"packages": absolute path} of a row that names one, else nothing; raises DataError for an unfit one."""
    if PACKAGES not in values:
        return {}
    folder = (Path(place.rpartition(":")[0]).parent / text_of(values, PACKAGES, place)).resolve()
    if fault := _fault(folder):
        raise DataError(f"{place}: {fault}")
    return {PACKAGES: str(folder)}


@cache
def _fault(folder: Path) -> str:
    """Return why a folder of packages does not serve, or nothing."""
    if not folder.is_dir():
        return f"'{PACKAGES}' names no folder: {folder}"
    if ours := [name for name in _OURS if (folder / name).is_dir()]:
        return f"{folder} holds {ours[0]}: take it out, tests run under EvoTrainer's own"
    if other := next((path for path in folder.rglob("*.so") if not _fits(path)), None):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"{other} is of another Python than {version}: install the packages with {version}"
    return ""


def _fits(path: Path) -> bool:
    """Return whether a shared library is of no version of Python, or of ours."""
    ours = tuple(suffix for suffix in EXTENSION_SUFFIXES if _VERSIONED in suffix)
    return _VERSIONED not in path.name or path.name.endswith(ours)
