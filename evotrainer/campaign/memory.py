"""What outlives campaigns: cases, and a SKILL.md for each recipe that was proven.

    cases.jsonl                one line a scored candidate: its evidence, what was tried, how it ended
    skills/<name>/SKILL.md     for a person: a change that was proven, and all cases of that change

Rows are appended, never rewritten. SKILL.md files follow from the cases, and are not read back. A campaign reads the
memory at its start, and appends once at its end. A folder that does not exist is an empty memory.

A case pairs the findings before a change with its result: they are those of the report that the change was proposed on,
never of the audit after training. A version without a score, or measured with an open leak, is no case.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.leak_response import is_superseded
from evotrainer.campaign.lineage import recipe_gain
from evotrainer.config.validation import RANGES
from evotrainer.errors import LineageError
from evotrainer.records import Case, HarnessReport, Intervention, Lesson, Record, VersionRecord

MAX_RATIO = 8.0
"""Beyond this a step is remembered as a value: it was no step along a scale."""
MIN_LIKENESS = 0.3
OTHER_DOMAIN = 0.5
"""Weight of a case from another domain."""
SHARES = (
    "solve_rate",
    "dead_group_ratio",
    "truncation_rate",
    "format_failure_rate",
    "usable_groups",
    "self_test_rate",
    "failed_tool_call_rate",
    "clip_fraction",
)
"""Metrics in [0, 1] that describe a situation."""


class Memory(Record):
    """What earlier campaigns left."""

    cases: list[Case] = []

    @property
    def campaigns(self) -> list[str]:
        """Names of the campaigns that are remembered, in order."""
        return list(dict.fromkeys(case.campaign for case in self.cases))

    @property
    def skills(self) -> dict[str, list[Case]]:
        """{name: all cases of a change} for each change that was proven, by name."""
        proven = sorted({case.change for case in self.cases if case.lesson})
        return {name: [case for case in self.cases if case.change == name] for name in proven}


def load_memory(folder: Path) -> Memory:
    """Return the memory in `folder`; raises LineageError naming file and line of what cannot be read."""
    return Memory(cases=_read_rows(folder / "cases.jsonl"))


def save_memory(folder: Path, memory: Memory) -> None:
    """Write a memory; equal memories give equal bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / "cases.jsonl", "".join(f"{case.model_dump_json()}\n" for case in memory.cases))
    for name, cases in memory.skills.items():
        write_atomic(folder / "skills" / name / "SKILL.md", skill_text(name, cases))


def skill_text(name: str, cases: Sequence[Case]) -> str:
    """Return SKILL.md of a change that was proven: its newest lesson, and all cases of the change."""
    lesson = [case.lesson for case in cases if case.lesson][-1]
    domains = sorted({case.domain for case in cases if case.lesson})
    title = name.replace("-", " ")
    front = yaml.safe_dump({"name": name, "description": f"{title}; proven in {', '.join(domains)}"}, sort_keys=False)
    rows = [
        f"| {case.campaign} | {case.version} | {case.domain} | {_signed(case.difference)} | "
        f"{'proven' if case.lesson else case.outcome} |"
        for case in cases
    ]
    return (
        f"---\n{front}---\n\n# {title}\n\n"
        f"**Trigger.** {', '.join(lesson.triggers) or 'none: it was an exploration'}\n\n"
        f"**Intervention.** {'; '.join(lesson.changes)}\n\n"
        f"**Why.** {lesson.hypothesis}\n\n"
        f"**Expected.** score {lesson.low:+.4f} to {lesson.high:+.4f} against the incumbent\n\n"
        f"**Validation.** {lesson.validation}\n\n"
        "| campaign | version | domain | difference | outcome |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def remember(
    memory: Memory, campaign: str, domain: str, records: Sequence[VersionRecord], observed: Mapping[str, HarnessReport]
) -> Memory:
    """Return the memory with a campaign appended; one that it holds already changes nothing.

    `observed` are, by version, the reports that it was proposed on.
    """
    if campaign in memory.campaigns:
        return memory
    cases = [
        _case(record, record.intervention, campaign, domain, observed.get(record.spec.version))
        for record in records
        if record.intervention and record.verdict.score is not None and not is_superseded(record, records)
    ]
    return Memory(cases=[*memory.cases, *cases])


def similar(
    cases: Sequence[Case], domain: str, modes: Iterable[str], metrics: Mapping[str, float]
) -> list[tuple[Case, float]]:
    """Return (case, weight) of the cases that are like enough, the heaviest first.

    Likeness is Jaccard's over modes of findings and shares in bands of a tenth.
    """
    now = _tokens(modes, metrics)
    near = []
    for case in cases:
        then = _tokens(case.findings, case.metrics)
        likeness = len(then & now) / max(1, len(then | now))
        if likeness >= MIN_LIKENESS:
            near.append((case, likeness * (1.0 if case.domain == domain else OTHER_DOMAIN)))
    return sorted(near, key=lambda pair: (-pair[1], pair[0].campaign, pair[0].version))


def track_record(found: Sequence[tuple[Case, float]], factor: str) -> tuple[float, float]:
    """Return the weights of the similar cases in which changes of `factor` paid, and in which they did not.

    A case without a measured difference counts as neither. Cases of one domain and campaign seed that made
    the same change with the same end count once, as the most alike: they may be the same draws.
    """
    weights: dict[tuple[str, int, str, str, bool], float] = {}
    for case, weight in found:
        if factor in case.factor.split("+") and case.difference is not None:
            has_paid = case.difference > 0 and case.outcome in ("promoted", "kept")
            draws = (case.domain, case.campaign_seed, case.factor, case.change, has_paid)
            weights[draws] = max(weights.get(draws, 0.0), weight)
    won = sum(weight for draws, weight in weights.items() if draws[-1])
    return won, sum(weights.values()) - won


def change_name(intervention: Intervention) -> str:
    """Return the name of a change: its factor with the direction or value of each key."""
    words = [intervention.factor.replace("_", "-").replace("+", "-and-")]
    for key, (old, new) in sorted(intervention.diff.items()):
        leaf, ratio = key.rpartition(".")[2].replace("_", "-"), _ratio(key, old, new)
        if ratio is not None:
            words.append(f"{leaf}-{'up' if ratio > 1 else 'down'}")
        else:
            words.append(f"{leaf}-{new}".lower().replace(".", "p").replace("_", "-"))
    return "-".join(words)


def _ratio(key: str, old: Any, new: Any) -> float | None:
    """Return the factor of a step along a scale; None for any other change: each domain has its own scale."""
    is_number = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
    if is_number and key in RANGES and old > 0 and new > 0 and 1 / MAX_RATIO <= new / old <= MAX_RATIO:
        return float(f"{new / old:.4g}")
    return None


def _case(
    record: VersionRecord, intervention: Intervention, campaign: str, domain: str, observed: HarnessReport | None
) -> Case:
    is_candidate = record.spec.kind == "candidate" and record.verdict.outcome != "invalid"
    return Case(
        campaign=campaign,
        version=record.spec.version,
        domain=domain,
        campaign_seed=record.spec.campaign_seed,
        findings=sorted({finding.mode for finding in observed.findings}) if observed else [],
        metrics=dict(observed.metrics) if observed else {},
        factor=intervention.factor,
        change=change_name(intervention),
        outcome=record.verdict.outcome,
        difference=recipe_gain(record),
        lesson=_lesson(record, intervention) if is_candidate and record.attribution == "FIRED" else None,
    )


def _lesson(record: VersionRecord, intervention: Intervention) -> Lesson:
    """Return what a version teaches whose recipe is proven by what its hypothesis predicts: one seed is no evidence."""
    claim = record.confirmation.recipe if record.confirmation else None
    assert claim is not None and claim.low is not None and claim.high is not None, "FIRED rests on a proven recipe"
    ratios = {key: (_ratio(key, old, new), new) for key, (old, new) in sorted(intervention.diff.items())}
    return Lesson(
        triggers=[
            *(mode for mode in intervention.evidence if ":" not in mode),
            *(f"{one.metric} {one.operator} {one.value:g}" for one in intervention.triggers),
        ],
        changes=[f"{key} = {new}" if ratio is None else f"{key} x {ratio:g}" for key, (ratio, new) in ratios.items()],
        low=claim.low,
        high=claim.high,
        hypothesis=intervention.hypothesis,
        validation=f"{len(claim.candidate)} fresh training seeds against {len(claim.reference)} of {claim.against}, "
        f"worst {claim.minimum:.4f}",
    )


def _signed(difference: float | None) -> str:
    return "" if difference is None else f"{difference:+.4f}"


def _tokens(modes: Iterable[str], metrics: Mapping[str, float]) -> set[str]:
    return {*modes, *(f"{name}~{metrics[name]:.1f}" for name in SHARES if name in metrics)}


def _read_rows(path: Path) -> list[Case]:
    if not path.is_file():
        return []
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            rows.append(Case.model_validate_json(line))
        except ValidationError as error:
            found = error.errors()[0]
            where = ".".join(map(str, found["loc"]))
            raise LineageError(f"{path}:{number}: {where}: {found['msg']}; correct it on branch memory") from None
    return rows
