"""Failure modes that can be injected into healthy evidence, by the mode's name; one module a mode, found by its file.

A module names its `DOMAIN` and `STRENGTHS` and injects into rows (`inject`, base.py) or into frames (`alter`, case.py).
A second injection of the same mode, `inject_variant` or `alter_variant`, shows that a detector does not know the first
one. `FALSIFIES` says that a score with the mode is worth nothing: its findings are to be `invalid`. To add a mode, add
a file.
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
FAILURE_MODES = tuple(
    sorted(
        path.stem
        for path in Path(__file__).parent.glob("[!_]*.py")
        if _STRENGTHS.search(path.read_text(encoding="utf-8"))
    )
)


def find_failure_mode(mode: str) -> ModuleType:
    """Return the module that injects a mode; raises ConfigError that lists the choices."""
    if mode not in FAILURE_MODES:
        raise ConfigError(f"failure mode '{mode}' is unknown: choose one of {', '.join(FAILURE_MODES)}")
    return importlib.import_module(f"benchmarks.failure_modes.{mode}")
