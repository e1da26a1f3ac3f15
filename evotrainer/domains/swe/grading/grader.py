"""Grade a swe episode: the hidden tests decide, on the files that the episode ended with.

Those files are rebuilt from the messages (domains/swe/tools/replay.py). Then every test file and every file that
configures tests is put back as the repository had it, and the hidden tests are laid over: what the policy wrote there
stays evidence, and decides nothing. `fail_to_pass` and `pass_to_pass` name the tests that must pass.

A pass that is flagged earns nothing until a person has looked: `extra.flags` says why (hidden_tests.Plan.flags).

The gate: the episode ends with submit. Without it nothing is correct; extra.lenient_correct says what the tests say.

Terms: correct, format (submitted), partial (share of fail_to_pass that pass, where all of pass_to_pass do),
search_before_edit, edit_then_test. Checks: records/checks.py says what they mean.
"""

from collections.abc import Sequence

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Grade
from evotrainer.domains.swe.access import is_sanitized
from evotrainer.domains.swe.grading.checks import measure
from evotrainer.domains.swe.grading.conduct import conduct_terms
from evotrainer.domains.swe.grading.hidden_tests import final_state, is_submitted, plan_of, run_hidden, share_passed
from evotrainer.records import Message, Problem
from evotrainer.records.checks import CHECKS

MAX_FLAGS = 20


class SweGrader:
    """Grades the files that an episode ended with."""

    waits_for_sandbox = True

    def __init__(self, domain: DomainConfig) -> None:
        self._domain = domain

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade; raises SandboxError when the tests could not be run."""
        state = final_state(problem, messages, is_sanitized(self._domain))
        run = run_hidden(problem, state.snapshot)
        share, submitted = share_passed(problem, run), is_submitted(messages)
        flags = plan_of(problem, state.snapshot.repository).flags(run)
        earned = 0.0 if flags else share
        terms = {
            "correct": float(submitted and earned == 1.0),
            "format": float(submitted),
            "partial": earned,
            **conduct_terms(messages),
        }
        checks = measure(problem, messages, state, run)
        correct = terms["correct"]
        extra = {
            "family": problem.family,
            "submitted": submitted,
            "files_touched": sorted(state.snapshot.changes),
            "answer": state.snapshot.key[:16] if state.snapshot.changes else None,
            "lenient_correct": float(share == 1.0),
            "flags": flags[:MAX_FLAGS],
            CHECKS: {**checks, "loose_correct": correct, "scrubbed_correct": correct},
        }
        return Grade(correct=terms["correct"], terms=terms, format_ok=submitted, extra=extra)
