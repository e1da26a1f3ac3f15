"""The math domain: one answer to a short problem, checked by equality."""

from evotrainer.domains.base import Domain, lazy
from evotrainer.domains.frozen import problem_rows

_HERE = "evotrainer.domains.math"

MATH = Domain(
    name="math",
    environment=lazy(f"{_HERE}.environment:MathEnvironment"),
    grader=lazy(f"{_HERE}.grading.grader:MathGrader"),
    parse_row=lazy(f"{_HERE}.problems.rows:parse_row"),
    problem_rows=lambda: problem_rows("math"),
    canonical_form=lazy(f"{_HERE}.problems:canonical_form"),
    agree=lazy(f"{_HERE}.grading.grader:answers_equal"),
)
