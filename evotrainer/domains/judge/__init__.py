"""The rubric judge: a model behind a chat endpoint whose score joins the verifier's grade as a reward term."""

from evotrainer.domains.judge.grader import JudgedGrader
from evotrainer.domains.judge.judge import Judge, open_judge

__all__ = ["Judge", "JudgedGrader", "open_judge"]
