"""Math problems, one turn each, checked by equality.

One whole example, as the embedded policy answers it:

    user       47+385=?
    assistant  7+5=12,4+8+1=13,3+1=4<answer>432</answer>

Graded (grader.py) against the answer 432: correct 1, format 1, partial 1. A policy from elsewhere learns the format
from `domain.system_prompt`, and may answer in \\boxed{} instead.
"""

from dataclasses import replace

from evotrainer.domains.base import Domain, SingleTurnEnvironment, lazy
from evotrainer.domains.frozen import problem_rows

_HERE = "evotrainer.domains.math"

MATH = Domain(
    name="math",
    environment=SingleTurnEnvironment,
    grader=lazy(f"{_HERE}.grader:MathGrader"),
    parse_row=lazy(f"{_HERE}.rows:parse_row"),
    problem_rows=lambda: problem_rows("math"),
    agree=lazy(f"{_HERE}.answers:answers_equal"),
)

WORDS = replace(MATH, problem_rows=lambda: problem_rows("words"))
"""With word problems of one and two steps in place of the built-in ones, for a language model of 0.1B weights.

    user       Mia buys 4 packs of 6 pens and gives away 5 pens. How many pens are left?
    assistant  4 * 6 = 24, 24 - 5 = 19 <answer>19</answer>

Each row has its worked answer (`solution`), which `evotrainer policy sft` shows to a policy. Train and probe problems
share wordings, but neither names nor numbers. Those of validation and test are wordings that nothing is trained on.
"""
