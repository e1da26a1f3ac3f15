"""The failure-mode benchmark as tables: recall and false alarms with exact 95% intervals."""

from collections.abc import Sequence

from benchmarks.failure_modes import find_failure_mode
from benchmarks.fault_injection.measure import INJECTED, LINEAGE, Alarms, Recall
from benchmarks.intervals import exact_interval
from evotrainer.diagnosis.trainer_audit import DIAGNOSTIC as TRAINER_AUDIT
from evotrainer.diagnosis.trainer_audit import MODES as TRAINER_MODES

FOUND_SHARE = 0.9
NATURAL: dict[tuple[str, str], str] = {
    ("math", "format_gate"): "the embedded policy does lose right answers to its format: a fifth of its "
    "demonstrations break it"
}
"""What healthy evidence of a domain really has, with the reason: named there, it is no false alarm."""


def failure_mode_tables(recalls: Sequence[Recall], alarms: Sequence[Alarms]) -> str:
    """Return Markdown: the whole, one row a mode, recall by strength, controls by domain."""
    return (
        "\n".join(
            [
                *_overall(recalls, alarms),
                "",
                *_detectors(recalls, alarms),
                "",
                *_strengths(recalls),
                "",
                *_natural(alarms),
            ]
        )
        + "\n"
    )


def modes_of(recalls: Sequence[Recall]) -> list[str]:
    """Return the modes that were measured, sorted."""
    return sorted({each.mode for each in recalls})


def false_alarms(mode: str, alarms: Sequence[Alarms]) -> tuple[int, int]:
    """Return false alarms of a mode and controls: of its own domain, and of others where it is named.

    Elsewhere evidence may hold nothing that its detector could speak of. Where it is really there, a name is no error.
    """
    own = LINEAGE if mode in TRAINER_MODES else find_failure_mode(mode).domain
    judged = [
        each for each in alarms if (each.domain == own or mode in each.by_mode) and (each.domain, mode) not in NATURAL
    ]
    return sum(each.by_mode.get(mode, 0) for each in judged), sum(each.num_controls for each in judged)


def reached_at(recalls: Sequence[Recall], mode: str) -> float | None:
    """Return the least strength from which recall stays at 90% or above; None where it never does."""
    rows = sorted((each for each in recalls if each.mode == mode and each.way == INJECTED), key=lambda r: r.strength)
    reached = None
    for row in reversed(rows):
        if row.num_found < FOUND_SHARE * row.num_cases:
            break
        reached = row.strength
    return reached


def _overall(recalls: Sequence[Recall], alarms: Sequence[Alarms]) -> list[str]:
    modes = modes_of(recalls)
    injected = [each for each in recalls if each.way == INJECTED]
    others = [each for each in recalls if each.way != INJECTED]
    total = sum(each.num_controls for each in alarms)
    return [
        "| | count | share | 95% interval |",
        "|---|---|---|---|",
        f"| modes | {len(modes)} | | |",
        _line("injected cases found", injected),
        _line("variants found", others),
        _count("healthy controls with an `invalid` finding", sum(each.num_invalid for each in alarms), total),
        _count(
            "injected cases that a score-only loop keeps",
            sum(each.num_kept_by_score for each in injected),
            sum(each.num_cases for each in injected),
        ),
        _count(
            "of modes that falsify a score: kept by score and not `invalid`",
            sum(each.num_escaped for each in injected if _falsifies(each.mode)),
            sum(each.num_kept_by_score for each in injected if _falsifies(each.mode)),
        ),
    ]


def _detectors(recalls: Sequence[Recall], alarms: Sequence[Alarms]) -> list[str]:
    lines = [
        "| mode | cases | recall | 90% from | variants | false alarms | score-only keeps | ms a 1000 rows |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for mode in modes_of(recalls):
        injected = [each for each in recalls if each.mode == mode and each.way == INJECTED]
        others = [each for each in recalls if each.mode == mode and each.way != INJECTED]
        count, controls = false_alarms(mode, alarms)
        reached = reached_at(recalls, mode)
        cases, kept = sum(each.num_cases for each in injected), sum(each.num_kept_by_score for each in injected)
        lines.append(
            f"| `{mode}` | {cases} | {_recall(injected)} | "
            f"{'never' if reached is None else f'{reached:g}'} | {_recall(others) if others else ''} | "
            f"{count} of {controls} (≤ {exact_interval(count, controls)[1]:.1%}) | "
            f"{kept / max(1, cases):.0%} | {_cost(mode, alarms)} |"
        )
    return lines


def _strengths(recalls: Sequence[Recall]) -> list[str]:
    lines = ["| mode | cases | found at each strength (of them `invalid`) |", "|---|---|---|"]
    for mode in modes_of(recalls):
        for way in dict.fromkeys(each.way for each in recalls if each.mode == mode):
            rows = [each for each in recalls if (each.mode, each.way) == (mode, way)]
            told = ", ".join(
                f"{each.strength:g}: {each.num_found}/{each.num_cases} ({each.num_invalid})" for each in rows
            )
            lines.append(f"| `{mode}` | {way} | {told} |")
    return lines


def _natural(alarms: Sequence[Alarms]) -> list[str]:
    lines = ["| domain | healthy versions | any `invalid` | named |", "|---|---|---|---|"]
    for each in alarms:
        named = ", ".join(f"`{mode}` {count}" for mode, count in sorted(each.by_mode.items())) or "nothing"
        lines.append(f"| {each.domain} | {each.num_controls} | {each.num_invalid} | {named} |")
    present = [(each.domain, mode) for each in alarms for mode in each.by_mode if (each.domain, mode) in NATURAL]
    return [*lines, *(f"\n`{mode}` in {domain}: {NATURAL[domain, mode]}." for domain, mode in present)]


def _falsifies(mode: str) -> bool:
    return find_failure_mode(mode).falsifies


def _cost(mode: str, alarms: Sequence[Alarms]) -> str:
    name = TRAINER_AUDIT if mode in TRAINER_MODES else mode
    known = [each.seconds[name] for each in alarms if name in each.seconds]
    return f"{1000 * max(known):.0f}" if known else ""


def _recall(rows: Sequence[Recall]) -> str:
    found, total = sum(each.num_found for each in rows), sum(each.num_cases for each in rows)
    low, high = exact_interval(found, total)
    return f"{found / total:.0%} [{low:.0%}, {high:.0%}]"


def _line(what: str, rows: Sequence[Recall]) -> str:
    if not rows:
        return f"| {what} | 0 | | |"
    return _count(what, sum(each.num_found for each in rows), sum(each.num_cases for each in rows))


def _count(what: str, count: int, total: int) -> str:
    if total == 0:
        return f"| {what} | 0 of 0 | | |"
    low, high = exact_interval(count, total)
    return f"| {what} | {count} of {total} | {count / total:.1%} | {low:.1%} to {high:.1%} |"
