"""Failure modes that can be planted into healthy evidence, by the mode's name; one module a mode, found by its file.

A module says `DOMAIN` and `STRENGTHS` and plants either into rows (`plant`, base.py) or into frames (`alter`, case.py).
A second way of making the same mode, `plant_otherwise` or `alter_otherwise`, shows that a detector does not know the
first one. `FALSIFIES` says that a score with the mode is worth nothing: its findings are to be `invalid`. Whoever adds
a mode adds a file.
"""

import importlib
import re
from pathlib import Path
from types import ModuleType

from evotrainer.errors import ConfigError

LEAKS_AND_CHEATS = (
    "history_leak",
    "test_tampering",
    "special_casing",
    "always_equal",
    "early_exit",
    "grader_subversion",
    "answer_reading",
    "self_written_tests",
    "judge_hacking",
    "weak_verifier",
    "contamination",
)
"""Modes that make a score worth nothing, in the order of the failure modes."""
BEHAVIOURS = ("entropy_collapse", "echo_trap", "template_collapse", "action_collapse", "timidity")
"""Modes of tool-using policies, over the steps of a run."""

_STRENGTHS = re.compile(r"^STRENGTHS\b", re.MULTILINE)
PATHOLOGIES = tuple(
    sorted(
        path.stem
        for path in Path(__file__).parent.glob("[!_]*.py")
        if _STRENGTHS.search(path.read_text(encoding="utf-8"))
    )
)


def find_pathology(mode: str) -> ModuleType:
    """Return the module that plants a mode; raises ConfigError that lists the choices."""
    if mode not in PATHOLOGIES:
        raise ConfigError(f"pathology '{mode}' is unknown: choose one of {', '.join(PATHOLOGIES)}")
    return importlib.import_module(f"benchmarks.failure_modes.{mode}")
