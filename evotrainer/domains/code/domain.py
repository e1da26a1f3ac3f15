"""The code domain: one program, checked by hidden tests in the sandbox."""

from evotrainer.domains.base import Domain, lazy
from evotrainer.domains.factors import JUDGE_REWARD
from evotrainer.domains.frozen import problem_rows

_HERE = "evotrainer.domains.code"

CODE = Domain(
    name="code",
    environment=lazy(f"{_HERE}.environment:CodeEnvironment"),
    grader=lazy(f"{_HERE}.grading.grader:CodeGrader"),
    parse_row=lazy(f"{_HERE}.problems.rows:parse_row"),
    problem_rows=lambda: problem_rows("code"),
    canonical_form=lazy(f"{_HERE}.problems:canonical_form"),
    weakness_of=lazy(f"{_HERE}.grading.reference:weakness_of"),
    factors=(JUDGE_REWARD,),
    rubric="1.0: solves the problem for every input that it allows. 0.5: the right idea, with a fault at some inputs. "
    "0.0: does not solve it, answers the shown examples alone, or holds no program.",
)
