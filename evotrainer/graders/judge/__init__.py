"""The rubric judge: a model behind a chat endpoint whose score joins the verifier's grade as a reward term."""

from evotrainer.graders.judge.grader import JudgedGrader
from evotrainer.graders.judge.judge import Judge, open_judge
from evotrainer.graders.judge.record import merge_record, start_record

__all__ = ["Judge", "JudgedGrader", "open_judge", "merge_record", "start_record"]
