"""The failure-mode benchmark as tables: recall and false alarms with exact 95% intervals."""

from collections.abc import Sequence

from benchmarks.failure_modes import find_failure_mode
from benchmarks.fault_injection.measure import INJECTED, Alarms, Recall
from benchmarks.intervals import exact_interval
from benchmarks.markdown import markdown_table

FOUND_SHARE = 0.9
NATURAL: dict[tuple[str, str], str] = {
    ("math", "format_gate"): "the embedded policy does lose right answers to its format: a fifth of its "
    "demonstrations break it"
}
"""What healthy evidence of a domain really has, with the reason: named there, it is no false alarm."""


def failure_mode_tables(recalls: Sequence[Recall], alarms: Sequence[Alarms]) -> str:
    """Return Markdown: the whole, one row a mode, controls by domain."""
    return "\n".join((_overall(recalls, alarms), _detectors(recalls, alarms), _natural(alarms)))


def modes_of(recalls: Sequence[Recall]) -> list[str]:
    """Return the modes that were measured, sorted."""
    return sorted({each.mode for each in recalls})


def false_alarms(mode: str, alarms: Sequence[Alarms]) -> tuple[int, int]:
    """Return false alarms of a mode and controls: of its own domain, and of others where it is named.

    Elsewhere evidence may hold nothing that its detector could speak of. Where it is really there, a name is no error.
    """
    own = find_failure_mode(mode).domain
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


def _overall(recalls: Sequence[Recall], alarms: Sequence[Alarms]) -> str:
    injected = [each for each in recalls if each.way == INJECTED]
    others = [each for each in recalls if each.way != INJECTED]
    falsifying = [each for each in injected if find_failure_mode(each.mode).falsifies]
    kept, kept_falsely = (sum(each.num_kept_by_score for each in rows) for rows in (injected, falsifying))
    rows = [
        ["modes", str(len(modes_of(recalls))), "", ""],
        _count("injected cases found", *_found(injected)),
        _count("variants found", *_found(others)),
        _count(
            "healthy controls with an `invalid` finding",
            sum(each.num_invalid for each in alarms),
            sum(each.num_controls for each in alarms),
        ),
        _count("injected cases that a score-only loop keeps", kept, _found(injected)[1]),
        _count(
            "of modes that falsify a score: kept by score and not `invalid`",
            sum(each.num_escaped for each in falsifying),
            kept_falsely,
        ),
    ]
    return markdown_table(" | count | share | 95% interval", rows)


def _detectors(recalls: Sequence[Recall], alarms: Sequence[Alarms]) -> str:
    rows = []
    for mode in modes_of(recalls):
        injected = [each for each in recalls if each.mode == mode and each.way == INJECTED]
        others = [each for each in recalls if each.mode == mode and each.way != INJECTED]
        count, controls = false_alarms(mode, alarms)
        reached, cases = reached_at(recalls, mode), _found(injected)[1]
        cells = [
            f"`{mode}`",
            str(cases),
            _recall(injected),
            "never" if reached is None else f"{reached:g}",
            _recall(others) if others else "",
            f"{count} of {controls} (≤ {exact_interval(count, controls)[1]:.1%})",
            f"{sum(each.num_kept_by_score for each in injected) / max(1, cases):.0%}",
        ]
        rows.append(cells)
    columns = "mode | cases | recall | 90% from | variants | false alarms | score-only keeps"
    return markdown_table(columns, rows)


def _natural(alarms: Sequence[Alarms]) -> str:
    rows = []
    for each in alarms:
        named = ", ".join(f"`{mode}` {count}" for mode, count in sorted(each.by_mode.items())) or "nothing"
        rows.append([each.domain, str(each.num_controls), str(each.num_invalid), named])
    present = [(each.domain, mode) for each in alarms for mode in each.by_mode if (each.domain, mode) in NATURAL]
    notes = [f"\n`{mode}` in {domain}: {NATURAL[domain, mode]}.\n" for domain, mode in present]
    return markdown_table("domain | healthy versions | any `invalid` | named", rows) + "".join(notes)


def _recall(rows: Sequence[Recall]) -> str:
    found, total = _found(rows)
    low, high = exact_interval(found, total)
    return f"{found / total:.0%} [{low:.0%}, {high:.0%}]"


def _found(rows: Sequence[Recall]) -> tuple[int, int]:
    return sum(each.num_found for each in rows), sum(each.num_cases for each in rows)


def _count(what: str, count: int, total: int) -> list[str]:
    if total == 0:
        return [what, "0 of 0", "", ""]
    low, high = exact_interval(count, total)
    return [what, f"{count} of {total}", f"{count / total:.1%}", f"{low:.1%} to {high:.1%}"]
