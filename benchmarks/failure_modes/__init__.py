"""Failure modes that can be injected into healthy evidence: one function a mode, in a module a kind of evidence.

To add a mode, write its function in the module of its domain; the decorators of mode.py register it.
"""

from benchmarks.failure_modes import campaigns, code, rewards, swe, swe_behaviour, training  # noqa: F401  they register their modes
from benchmarks.failure_modes.mode import MODES, FailureMode
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
FAILURE_MODES = tuple(sorted(MODES))


def find_failure_mode(name: str) -> FailureMode:
    """Return a mode; raises ConfigError that lists the choices."""
    if name not in MODES:
        raise ConfigError(f"failure mode '{name}' is unknown: choose one of {', '.join(FAILURE_MODES)}")
    return MODES[name]
