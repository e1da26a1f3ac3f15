"""The table of the foreign bank: each part by itself."""

from collections.abc import Sequence

from benchmarks.foreign.bench import LOUD, Body
from benchmarks.intervals import exact_interval


def foreign_table(bodies: Sequence[Body]) -> str:
    """Return the table of all parts, then the kinds that were missed or accused."""
    lines = ["| | " + " | ".join(_part_names(bodies)) + " |", "|---|" + "---|" * len(_part_names(bodies))]
    for title, cells in (
        ("faulty kinds, bodies", _counts(bodies, True)),
        ("found", [_share(sum(b.is_found for b in part), len(part)) for part in _parts(bodies, True)]),
        ("healthy kinds, bodies", _counts(bodies, False)),
        ("accused: critical or invalid", _alarms(bodies, *LOUD)),
        ("of these invalid", _alarms(bodies, "invalid")),
    ):
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    missed = sorted({f"{b.kind} ({b.part})" for b in bodies if b.modes and not b.is_found})
    accused = sorted({f"{b.kind} ({b.part})" for b in bodies if not b.modes and b.has(*LOUD)})
    lines += [
        "",
        f"Missed in some body: {', '.join(missed) or 'none'}.",
        f"Accused: {', '.join(accused) or 'none'}.",
        "",
    ]
    return "\n".join(lines)


def _part_names(bodies: Sequence[Body]) -> list[str]:
    return list(dict.fromkeys(body.part for body in bodies))


def _parts(bodies: Sequence[Body], is_faulty: bool) -> list[list[Body]]:
    return [[b for b in bodies if b.part == part and bool(b.modes) == is_faulty] for part in _part_names(bodies)]


def _counts(bodies: Sequence[Body], is_faulty: bool) -> list[str]:
    return [f"{len({body.kind for body in part})}, {len(part)}" for part in _parts(bodies, is_faulty)]


def _alarms(bodies: Sequence[Body], *severities: str) -> list[str]:
    return [_share(sum(b.has(*severities) for b in part), len(part)) for part in _parts(bodies, False)]


def _share(count: int, total: int) -> str:
    if not total:
        return "-"
    low, high = exact_interval(count, total)
    return f"{count} of {total} ({count / total:.1%}, {low:.1%} to {high:.1%})"
