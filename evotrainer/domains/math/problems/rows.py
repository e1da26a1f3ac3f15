"""A line of a math file: `id`, `problem`, `answer`, and if wanted `family` and `difficulty`; other keys are kept."""

from typing import Any

from evotrainer.domains.problem_sets.rows import Row, difficulty_of, family_of, text_of

_KNOWN_KEYS = {"id", "problem", "answer", "family", "difficulty"}


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError for a missing, empty or mistyped key."""
    problem = text_of(values, "problem", place)
    return Row(
        row_id=text_of(values, "id", place),
        problem=problem,
        answer=text_of(values, "answer", place),
        family=family_of(values, place),
        difficulty=difficulty_of(values, place),
        data={key: value for key, value in values.items() if key not in _KNOWN_KEYS},
        identity=problem,
    )
