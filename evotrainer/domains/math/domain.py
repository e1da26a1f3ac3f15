"""The math domain: one answer to a short problem, checked by equality."""

from evotrainer.domains.base import Domain, lazy

_HERE = "evotrainer.domains.math"

MATH = Domain(
    name="math",
    environment=lazy(f"{_HERE}.environment:MathEnvironment"),
    grader=lazy(f"{_HERE}.grading.grader:MathGrader"),
    parse_row=lazy(f"{_HERE}.problems.rows:parse_row"),
    problem_rows=lazy(f"{_HERE}.problems.sets:problem_rows"),
    canonical_form=lazy(f"{_HERE}.problems:canonical_form"),
    demonstrations=lazy(f"{_HERE}.problems.demonstrations:demonstrations"),
    agree=lazy(f"{_HERE}.grading.grader:answers_equal"),
    pieces=lazy(f"{_HERE}.problems.demonstrations:pieces"),
)
