from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.config import DomainConfig
from evotrainer.domains import create_grader
from evotrainer.domains.math.answers import answers_equal
from evotrainer.records import Message, Problem

GRADER = create_grader(DomainConfig())
responses = st.lists(
    st.sampled_from(["<answer>", "</answer>", "\\boxed{", "}", "4", "32", "+", " ", "\n", "so"]), max_size=12
).map("".join)


def grade(response, answer="432"):
    problem = Problem(problem_id="p", domain="math", family="add", split="train", prompt="?", answer=answer)
    return GRADER.grade(problem, [Message(role="assistant", content=response)], "stop")


@settings(deadline=None)  # the first LaTeX answer starts math-verify's process
@given(responses)
def test_terms_are_shares_and_correct_implies_format_partial_and_lenient(response):
    graded = grade(response)
    assert all(0 <= value <= 1 for value in graded.terms.values())
    assert graded.format_ok == bool(graded.terms["format"])
    if graded.correct:
        assert graded.terms == {"correct": 1.0, "format": 1.0, "partial": 1.0}
        assert graded.extra["lenient_correct"] == 1.0
    if not graded.format_ok:
        assert graded.terms == {"correct": 0.0, "format": 0.0, "partial": 0.0}


@given(st.integers(-(10**30), 10**30), st.integers(0, 3))
def test_a_number_equals_itself_however_written_and_no_other(number, zeros):
    written = f"{'-' * (number < 0)}{'0' * zeros}{abs(number)}"
    assert answers_equal(str(number), written)
    assert answers_equal(str(number), f"{written}.0")
    assert not answers_equal(str(number), str(number + 1))


@given(st.integers(0, 10**9), st.text(alphabet="7+5=,", max_size=10))
def test_what_stands_before_the_answer_does_not_count(number, thought):
    assert grade(f"{thought}<answer>{number}</answer>", str(number)).correct == 1.0
