"""What answers each failure mode: rules of the rule engine, or, where no recipe can, who or what does.

A cheat is not trained away: its version is invalid, and what let it happen is mended. A fault of evaluator, engine or
trainer agent is no property of a recipe either. docs/answers.md is `answers_page`, and a test compares them.
"""

from collections.abc import Sequence
from typing import Literal

from evotrainer.agents.rule_table import RULES, Rule
from evotrainer.config.criteria import spell
from evotrainer.config.factors import Factor, factor_table
from evotrainer.domains import known_domains

Responder = Literal["a person", "the leak response", "the infrastructure", "the laws and the gate"]

UNANSWERED: dict[str, tuple[Responder, str]] = {
    "history_leak": ("the leak response", "the campaign turns to sanitised evaluation and scores the parents again"),
    "test_tampering": ("a person", "the version is invalid; tests are restored before grading, and access is narrowed"),
    "special_casing": ("a person", "the version is invalid; the problem needs hidden tests with other inputs"),
    "always_equal": ("a person", "the version is invalid; outputs are compared strictly, outside of the sandbox"),
    "early_exit": ("a person", "the version is invalid; the grader counts tests that were not heard of as failed"),
    "grader_subversion": ("a person", "the version is invalid; what was reached is closed in the grader"),
    "answer_reading": ("a person", "the version is invalid; what was read is taken out of the environment"),
    "self_written_tests": ("a person", "the version is invalid; only hidden tests may decide"),
    "weak_verifier": ("a person", "the verifier passes wrong answers: problems are mended or left out of the set"),
    "contamination": ("a person", "problems stand in two splits: the set is built anew, and scores of the old one end"),
    "trainer_overreach": ("the laws and the gate", "a diff of a protected key is refused before anything is trained"),
    "advantage_mismatch": ("the infrastructure", "advantages are no function of rewards: the engine has a fault"),
    "kl_ineffective": ("the infrastructure", "a coefficient without effect on the gradient is a fault of the engine"),
    "infrastructure_zeros": ("the infrastructure", "failures stored as rewards of 0 are masked and counted instead"),
    "flaky_grading": ("the infrastructure", "the grader gives one answer two grades: time limits, order or seeds"),
    "metric_defect": ("the infrastructure", "a stored number differs from its rows: what wrote it has a fault"),
    "noise_promotion": ("the laws and the gate", "promotion takes fresh rows and the campaign's error budget"),
    "duplicate_proposal": ("the laws and the gate", "no recipe is tried twice: the effective recipe is compared"),
    "confounded_change": ("the laws and the gate", "a candidate changes one factor; a merge is taken apart afterwards"),
    "optimism": ("the laws and the gate", "probabilities follow their record, and trust in a family follows its slope"),
}
"""Modes that no recipe answers: who or what does, and how."""

_HEAD = """\
# What answers a failure mode

Each failure mode that the harness is measured on ([failure modes](failure_modes.md)) has an answer: rules that propose
an intervention, or a line that says why no recipe can answer it. This page is made from the code
(`evotrainer/agents/answers.py`); a test compares both.

## Rules

A rule fires when a finding names one of its modes, or when its conditions on metrics hold. The family decides how its
intervention is [backtested](interventions.md#backtests-replay-before-training-is-paid-for). A rule whose factor the
domain lacks, or whose step leads nowhere, proposes nothing.

"""
_UNANSWERED_HEAD = """
## No recipe

| mode | who or what answers | how |
|---|---|---|
"""
_CONDITIONS_HEAD = """
## Rules that follow metrics alone

| rule | conditions | intervention | backtest family |
|---|---|---|---|
"""


def answering(mode: str) -> list[Rule]:
    """Return the rules that a finding of this mode calls for."""
    return [rule for rule in RULES if mode in rule.modes]


def answers_page(modes: Sequence[str]) -> str:
    """Return docs/answers.md for the modes that are measured; raises KeyError for one without any answer."""
    others = sorted({mode for rule in RULES for mode in rule.modes} - set(modes))
    rows = [_rule_row(mode, rule) for mode in (*modes, *others) for rule in answering(mode)]
    table = "| mode | rule | intervention | backtest family |\n|---|---|---|---|\n"
    silent = [f"| `{mode}` | {' | '.join(UNANSWERED[mode])} |" for mode in modes if not answering(mode)]
    by_metrics = [rule for rule in RULES if rule.when and not rule.modes]
    conditions = [f"| {rule.name} | {_conditions(rule)} | {_intervention(rule)} |" for rule in by_metrics]
    return "".join(
        [
            _HEAD + table,
            *(f"{row}\n" for row in rows),
            _UNANSWERED_HEAD,
            *(f"{row}\n" for row in silent),
            _CONDITIONS_HEAD,
            *(f"{row}\n" for row in conditions),
        ]
    )


def _rule_row(mode: str, rule: Rule) -> str:
    return f"| `{mode}` | {rule.name} | {_intervention(rule)} |"


def _conditions(rule: Rule) -> str:
    return ", ".join(spell(condition) for condition in rule.when)


def _intervention(rule: Rule) -> str:
    factor = _factors()[rule.factor]
    return f"`{rule.factor}`: {', '.join(f'`{key}`' for key in factor.keys)} | {factor.family}"


def _factors() -> dict[str, Factor]:
    return factor_table([factor for domain in known_domains() for factor in domain.factors])
