"""What a detector is worth: injected cases found, by strength, and healthy controls left alone.

A mode counts as found when a finding carries its name as warning or worse, and as blocked when that is `invalid`. A
control is a false alarm of every mode that is named there, and of the whole when any finding is `invalid`. A score-only
loop keeps what scores higher: it is asked whether the case scores above the control that it was made from.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from benchmarks.failure_modes import find_failure_mode
from benchmarks.failure_modes.case import Case
from benchmarks.failure_modes.lineages import LineageCase, base_record, healthy_lineage
from benchmarks.fault_injection.cases import Drawn, RowSource, draw_run
from benchmarks.fault_injection.training import Run
from evotrainer.config import Config
from evotrainer.diagnosis import trainer_audit
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import Finding, VersionRecord
from evotrainer.records.base import Record

LINEAGE = "lineage"
AnyCase = Case | LineageCase
FIRST_INCUMBENT, NUM_INCUMBENTS = 10_001, 7
"""Seeds of the healthy versions that others are compared with, none of them a control's."""
INJECTED, VARIANT, PLAYED = "injected", "variant", "played"


@dataclass(frozen=True, eq=False)
class Bank:
    """Real evidence that cases and controls are drawn from."""

    sources: dict[str, RowSource]
    runs: Sequence[Run]
    campaign: Config
    """What the trainer's own campaigns are about."""
    drawn: dict[tuple[str, int, bool], Any] = field(default_factory=dict)
    """Controls that cases are made from, drawn once for all modes and strengths."""
    incumbents: dict[tuple[str, int, str], VersionRecord] = field(default_factory=dict)
    """Healthy versions that others are compared with, by domain, number and harness."""


class Recall(Record):
    """Cases of one mode, made one way at one strength."""

    mode: str
    way: str
    strength: float
    num_cases: int
    num_found: int
    num_kept_by_score: int
    """Cases that score above their control: a score-only loop keeps them."""
    num_escaped: int
    """Of these, cases without an `invalid` finding."""


class Alarms(Record):
    """Healthy controls of one domain, and what is said of them."""

    domain: str
    num_controls: int
    num_invalid: int
    by_mode: dict[str, int]
    """Controls in which a mode is named as warning or worse."""


def ways_of(mode: str, bank: Bank) -> list[str]:
    """Return how cases of a mode can be made from this bank."""
    found = find_failure_mode(mode)
    ways = [INJECTED, *([VARIANT] if found.variant else [])]
    source = bank.sources.get(found.domain)
    return [*ways, *([PLAYED] if source is not None and source.plays(mode) else [])]


def detectors_of(harness: Harness, mode: str) -> list[str]:
    """Return the diagnostics that can name a failure mode: those whose source spells it out."""
    return [name for name in harness.diagnostics if f'"{mode}"' in harness.source_of(name).read_text(encoding="utf-8")]


def measure_recall(harness: Harness, bank: Bank, mode: str, way: str, seeds: Sequence[int]) -> Iterable[Recall]:
    """Yield the recall at each strength of the mode."""
    domain, detectors = find_failure_mode(mode).domain, detectors_of(harness, mode)
    for strength in find_failure_mode(mode).strengths:
        found, kept = [], []
        for seed in seeds:
            control, case = make_pair(bank, mode, way, strength, seed)
            case = with_incumbent(harness, bank, domain, seed, case)
            found.append(told(judge(harness, case, detectors)).get(mode))
            kept.append(isinstance(case, Case) and _score(case) > _score(control))
        escaped = [is_kept and severity != "invalid" for is_kept, severity in zip(kept, found, strict=True)]
        yield Recall(
            mode=mode,
            way=way,
            strength=strength,
            num_cases=len(seeds),
            num_found=sum(severity is not None for severity in found),
            num_kept_by_score=sum(kept),
            num_escaped=sum(escaped),
        )


def judge(harness: Harness, case: AnyCase, only: Collection[str] | None = None) -> list[Finding]:
    """Return what is said of a case: by diagnostics of evidence, or by the audit of the trainer agent."""
    if isinstance(case, LineageCase):
        return trainer_audit.diagnose(case.context()).findings
    return harness.run(case.context(), only=only).findings


def make_pair(bank: Bank, mode: str, way: str, strength: float, seed: int) -> tuple[Any, Any]:
    """Return a control and the case that was made from it."""
    chosen, rng = find_failure_mode(mode), np.random.default_rng([seed, 2])
    key = (chosen.domain, seed, mode == "judge_hacking")
    if key not in bank.drawn:
        bank.drawn[key] = _draw(bank, *key)
    drawn, control = bank.drawn[key]
    inject = chosen.variant if way == VARIANT and chosen.variant else chosen.inject
    if chosen.changes_frames:
        return control, inject(control, strength, rng)
    source = bank.sources[chosen.domain]
    if way == PLAYED:
        return control, source.case(source.cheats(drawn, mode, strength, rng))
    return control, source.case(drawn, inject(drawn.rows, strength, rng))


def _draw(bank: Bank, domain: str, seed: int, has_judge: bool) -> tuple[Drawn | None, AnyCase]:
    """Return the rows of a control, where there are any, and the control."""
    if domain not in bank.sources:
        return None, make_control(bank, domain, seed)
    drawn = bank.sources[domain].control(seed, has_judge=has_judge)
    return drawn, bank.sources[domain].case(drawn)


def measure_alarms(harness: Harness, bank: Bank, domain: str, seeds: Sequence[int]) -> Alarms:
    """Return what all diagnostics say of healthy versions of a domain; those of code have a judge."""
    said = [
        told(judge(harness, with_incumbent(harness, bank, domain, seed, make_control(bank, domain, seed))))
        for seed in seeds
    ]
    return Alarms(
        domain=domain,
        num_controls=len(seeds),
        num_invalid=sum("invalid" in each.values() for each in said),
        by_mode=Counter(mode for each in said for mode in each),
    )


def make_control(bank: Bank, domain: str, seed: int) -> AnyCase:
    """Return a healthy version of a domain, or a healthy campaign."""
    if domain == "math":
        return draw_run(bank.runs, seed)
    if domain == LINEAGE:
        return healthy_lineage(bank.campaign, np.random.default_rng([seed, 3]))
    source = bank.sources[domain]
    return source.case(source.control(seed, has_judge=domain == "code"))


def with_incumbent(harness: Harness, bank: Bank, domain: str, seed: int, case: AnyCase) -> AnyCase:
    """Return the case with a healthy version to be compared with, one of a few; a lineage holds its own."""
    if isinstance(case, LineageCase):
        return case
    number = seed % NUM_INCUMBENTS
    key = (domain, number, harness.version)
    if key not in bank.incumbents:
        healthy = make_control(bank, domain, FIRST_INCUMBENT + number)
        assert isinstance(healthy, Case)
        metrics = harness.run(healthy.context()).metrics
        bank.incumbents[key] = base_record(bank.campaign).model_copy(update={"metrics": metrics})
    return replace(case, reference=bank.incumbents[key])


def told(findings: Iterable[Finding]) -> dict[str, str]:
    """Return the worst severity by mode, of warnings and worse."""
    order = ("warning", "critical", "invalid")
    said: dict[str, str] = {}
    for finding in findings:
        if finding.severity in order:
            worst = max(finding.severity, said.get(finding.mode, "warning"), key=order.index)
            said[finding.mode] = worst
    return said


def _score(case: Case) -> float:
    return float(case.validation["correct"].mean())
