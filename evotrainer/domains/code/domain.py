"""Code problems, one turn each, checked by hidden tests in the sandbox.

One whole example, as the embedded policy answers it:

    user       f(xs): sum of squares of even numbers
               f([3, 8, -2]) == 68
               f([5, 7]) == 0
    assistant  ```python
               def f(xs):
                   return sum(x*x for x in xs if x%2==0)
               ```

Graded (grader.py) by hidden tests: correct 1 where all pass, partial the share that passes, format 1. Other problems
are programs that read standard input and print. A policy from elsewhere learns of the fence from
`domain.system_prompt`.
"""

from dataclasses import replace

from evotrainer.domains.base import JUDGE_REWARD, Domain, SingleTurnEnvironment, lazy
from evotrainer.domains.frozen import problem_rows

_HERE = "evotrainer.domains.code"

CODE = Domain(
    name="code",
    environment=SingleTurnEnvironment,
    grader=lazy(f"{_HERE}.grader:CodeGrader"),
    parse_row=lazy(f"{_HERE}.rows:parse_row"),
    problem_rows=lambda: problem_rows("code"),
    weakness_of=lazy(f"{_HERE}.reference:weakness_of"),
    factors=(JUDGE_REWARD,),
    rubric="1.0: solves the problem for every input that it allows. 0.5: the right idea, with a fault at some inputs. "
    "0.0: does not solve it, answers the shown examples alone, or holds no program.",
)

FUNCTIONS = replace(CODE, problem_rows=lambda: problem_rows("functions"))
"""With small functions in place of the built-in problems, for a language model of 0.1B weights.

    user       Write a function f(xs) that returns the sum of the numbers in xs that are odd.
               f([3, 8, -2, 5]) == 8
    assistant  ```python
               def f(xs):
                   return sum(x for x in xs if x % 2 == 1)
               ```

A family is one form of program, with numbers, letters and conditions open; validation and test have families that
nothing is trained on. No program comes twice, and the hidden tests of a program refute the others of its arguments.
"""
