"""Whether the problems can be used, and which gain as many of them can show."""

from evotrainer.domains.problem_sets.check import check_splits, contradictions, repeated, require_splits
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.promotion.gates.checkpoint import detectable_gain
from flows.workspace.check import Check
from flows.workspace.checks.base import Start
from flows.workspace.own_files import absent, reading_for

SMALL_GAIN = 0.05
"""Gains of a campaign are of this size (docs/results.md): problems that cannot show it are too few."""


def look_at_problems(start: Start) -> list[Check]:
    """Count the problems of each split, and say what they can show; raises DataError for rows that cannot be used."""
    own = start.own_problems
    if own is None:
        return _power(start, num_built(start))
    if not own.exists():
        raise absent(start.main, "domain.data_path", start.config.domain.data_path)
    rows = split_rows(own, start.config.domain.name, reading_for(start.main, start.config))
    counts = check_splits(own, rows)
    require_splits(own, counts)
    held = ", ".join(f"{count} {split}" for split, count in counts.items())
    found = [Check("problems", "ok", f"{own}: {held}"), *_power(start, counts["validation"])]
    members = [row for split in rows.values() for row in split]
    found += [Check("row", "warning", line) for line in contradictions(members, start.config.domain.name)]
    if pairs := [pair for members in rows.values() for pair in repeated(members)]:
        first, other = pairs[0]
        like = f"{first.row_id} and {other.row_id}"
        text = f"{len(pairs)} rows state the problem of another row under another id, like {like}"
        found.append(Check("problems", "warning", f"{text}: each counts as a problem of its own; keep one of each"))
    return found


def num_built(start: Start) -> int:
    """Return the validation problems of a built-in set; 0 where it is not built yet."""
    path = start.main / start.config.domain.data_path / "validation.jsonl"
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def _power(start: Start, num_problems: int) -> list[Check]:
    return power(min(num_problems, start.config.evaluate.max_problems))


def power(judged: int) -> list[Check]:
    """Return which gain so many validation problems can show; nothing for fewer than two."""
    if judged < 2:
        return []
    gain = detectable_gain(judged)
    text = f"{judged} validation rows: gains under {100 * gain:.0f} pp cannot be shown in four campaigns of five"
    if gain <= SMALL_GAIN:
        return [Check("power", "ok", text)]
    return [Check("power", "warning", f"{text}; add problems: half of that takes four times as many")]
