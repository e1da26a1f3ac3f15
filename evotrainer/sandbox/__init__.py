"""Runs Python that a policy or a trainer agent wrote. docs/sandbox.md states guarantees and limits."""

from evotrainer.sandbox.program import Execution, Limits, Outcome, Program, describe_end
from evotrainer.sandbox.sandbox import Backend, Sandbox
from evotrainer.sandbox.values import values_equal

__all__ = ["Backend", "Execution", "Limits", "Outcome", "Program", "Sandbox", "describe_end", "values_equal"]
