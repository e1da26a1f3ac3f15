"""Failure modes that can be planted into healthy evidence, by the mode's name; one module a mode (base.py)."""

import importlib
from typing import cast

from evotrainer.errors import ConfigError
from evotrainer.pathologies.base import Pathology

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
BEHAVIOURS = ("entropy_collapse", "echo_trap", "template_collapse", "action_collapse", "timidity")
PATHOLOGIES = (*LEAKS_AND_CHEATS, *BEHAVIOURS)


def find_pathology(mode: str) -> Pathology:
    """Return the module that plants a mode; raises ConfigError that lists the choices."""
    if mode not in PATHOLOGIES:
        raise ConfigError(f"pathology '{mode}' is unknown: choose one of {', '.join(PATHOLOGIES)}")
    return cast(Pathology, importlib.import_module(f"evotrainer.pathologies.{mode}"))
