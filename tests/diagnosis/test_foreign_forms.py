"""What is read in another form than it was meant: answers, calls, grades, weights of terms, ends, and lookalikes."""

import numpy as np
import pytest

from evotrainer.diagnosis.texts.answer_marks import answer_columns, lead_of
from evotrainer.diagnosis.texts.asked_forms import as_asked
from evotrainer.diagnosis.texts.call_forms import call_forms
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.diagnosis.texts.turns import turns
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import (
    aborted_ends,
    any_number_paid,
    cut_sequences,
    loss_mask,
    subtracted_terms,
    unread_answers,
    unread_calls,
    unread_verdicts,
)
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, foreign_rows, told

DEFECT, WEAK = [("warning", "metric_defect")], [("warning", "weak_verifier")]
KEYS = np.array(list("ABCD"))[PROBLEM % 4]
OTHERS = np.array(list("ABCD"))[(PROBLEM + 1) % 4]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(29)


def attempt(*messages: Message):
    asked = Message(role="user", content="Set the log level.")
    return transcript(Trajectory.model_construct(problem_id="p", messages=[asked, *messages], extra={}))


@pytest.mark.parametrize(
    ("text", "answer", "given_up"),
    [
        ("It is 7.\nANSWER: A\nNo, rather:\n**Answer:** C\nAnswer: B", "B", "A\nC"),
        ("Area = 12\nSo the answer: 12", "12", ""),
        ("It is \\boxed{7}, or \\boxed{8}, or \\boxed{9}.", "9", "7\n8"),
        ("It is 7.", "It is 7", ""),
    ],
)
def test_answers_that_were_given_up(text, answer, given_up):
    columns = answer_columns([text])
    assert (columns["written_answer"], columns["given_up"]) == ([answer], [given_up])


def test_the_words_before_an_answer():
    assert lead_of("**ANSWER:** $B$") == lead_of("Answer: B") == "answer"
    assert lead_of("So it is B") == ""


def test_answers_that_were_given_up_are_paid(rng):
    is_last, is_before = rng.random(COUNT) < 0.4, rng.random(COUNT) < 0.5
    last = np.where(is_last, KEYS, OTHERS)
    first = np.array([f"{key}\nE" for key in KEYS])
    texts = {"is_gold": is_last.astype(float), "written_answer": last, "final_answer": last, "extra:target": KEYS}
    texts |= {"mentions_gold": False, "told_gold": False, "given_up": np.where(is_before & ~is_last, first, "")}
    rows = foreign_rows(rng, reward=(is_last | is_before).astype(float))
    assert told(any_number_paid, rows, **texts) == WEAK  # the first one may be what is graded
    middle = texts | {"given_up": np.where(is_before & ~is_last, np.array([f"E\n{key}" for key in KEYS]), "")}
    assert told(any_number_paid, rows, **middle) == [("critical", "weak_verifier")]
    assert told(any_number_paid, rows.assign(reward=is_last.astype(float)), **middle) == []
    assert told(any_number_paid, rows, **texts | {"given_up": ""}) == []


def test_right_answers_of_which_nothing_is_read(rng):
    right, wrapped = rng.random(COUNT) < 0.6, rng.random(COUNT) < 0.3
    written = np.where(right, KEYS, OTHERS)
    lines = np.array(
        [f"ANSWER: ${one}$" if odd else f"ANSWER: {one}" for one, odd in zip(written, wrapped, strict=True)]
    )
    read = np.where(wrapped, "", written)
    texts = {"written_answer": written, "answer_line": lines, "final_answer": read, "extra:target": KEYS}
    unpaid = foreign_rows(rng, reward=(right & ~wrapped).astype(float))
    assert told(unread_answers, unpaid, **texts) == DEFECT
    named = texts | {"final_answer": written, "extra:pred": np.where(wrapped, "[invalid]", written)}
    assert told(unread_answers, unpaid, **named) == DEFECT
    assert told(unread_answers, unpaid.assign(reward=right.astype(float)), **texts) == []
    # Answers without the words that the task asks for have the wrong form, and wrong ones nothing to read.
    bare = np.where(wrapped, np.array([f"So it is {one}" for one in written]), lines)
    assert told(unread_answers, unpaid, **texts | {"answer_line": bare}) == []
    assert told(unread_answers, unpaid, **texts | {"answer_line": bare, "as_asked": wrapped}) == DEFECT
    wrong = texts | {"written_answer": np.where(wrapped, OTHERS, written)}
    assert told(unread_answers, unpaid, **wrong) == []


def test_calls_that_stay_text():
    call = ToolCall(name="set", arguments={"key": "level", "value": "warn"})
    read = call_forms(attempt(Message(role="assistant", tool_calls=[call]), Message(role="tool", content="ok")))
    xml = "<tool_call>\n<function=set>\n<parameter=key>\nlevel\n</parameter>\n<parameter=value>\ninfo\n</parameter>\n"
    xml = Message(role="assistant", content=f"I set it.\n{xml}</function>\n</tool_call>")
    as_json = '<tool_call>{"name": "set", "arguments": {"key": "level", "value": "info"}}</tool_call>'
    lost = [call_forms(attempt(one)) for one in (xml, Message(role="assistant", content=as_json))]
    assert read["read_calls"] == lost[0]["lost_call"] == lost[1]["lost_call"] != ""
    assert read["lost_call"] == lost[0]["read_calls"] == ""
    answered = call_forms(attempt(xml, Message(role="tool", content="ok")))
    broken = call_forms(attempt(Message(role="assistant", content=as_json.replace("}}", "}"))))
    assert answered["lost_call"] == broken["lost_call"] == ""


def test_calls_that_nobody_reads_cost_the_reward(rng):
    lost = rng.random(COUNT) < 0.3
    rows = foreign_rows(
        rng, num_turns=np.where(lost, 1, 2), reward=np.where(lost, 0.0, 1.0 * (rng.random(COUNT) < 0.7))
    )
    texts = {"num_unread": 0.0, "lost_call": np.where(lost, "17", ""), "read_calls": np.where(lost, "", "5 17")}
    assert told(unread_calls, rows, **texts) == [("warning", "tool_failures")]
    assert told(unread_calls, rows, **texts | {"read_calls": "5"}) == []  # nobody was read with such a call
    assert told(unread_calls, rows.assign(reward=1.0 * (ATTEMPT > 1)), **texts) == []
    assert told(unread_calls, rows.assign(num_turns=np.where(lost, 9, 2)), **texts) == []  # a limit of turns
    assert told(unread_calls, rows.assign(is_truncated=lost), **texts) == []


def test_a_grade_that_is_stored_as_another(rng):
    grade = rng.integers(1, 10, COUNT)
    texts = {"extra:critique": np.array([f"Point 3 is weak. Overall: {one}" for one in grade])}
    right = foreign_rows(rng, reward=grade / 10)
    assert told(unread_verdicts, right, **texts) == []
    assert told(unread_verdicts, right.assign(reward=np.where(grade == 1, 1.0, grade / 10)), **texts) == [
        ("critical", "metric_defect")
    ]
    assert told(unread_verdicts, right.assign(reward=np.where(grade == 9, 0.1, grade / 10)), **texts) == DEFECT
    clipped = right.assign(reward=np.where(grade == 1, 0.2, grade / 10))
    assert told(unread_verdicts, clipped, **texts) == []


def test_groups_cut_down_to_equals(rng):
    odd = ATTEMPT == 2
    reward = np.where(odd, PROBLEM % 2, 1 - PROBLEM % 2).astype(float)
    rows = foreign_rows(rng, reward=reward)
    assert told(loss_mask, rows.assign(in_loss=(~odd).astype(float))) == [("warning", "over_filtering")]
    assert told(loss_mask, rows.assign(in_loss=1.0 * (ATTEMPT != 1))) == []  # any one of them
    assert told(loss_mask, rows.assign(in_loss=reward)) == []  # successes alone
    assert told(loss_mask, rows.assign(in_loss=1.0 * (PROBLEM % 3 > 0))) == []  # whole groups


def test_terms_that_count_against_their_weight(rng):
    terms = {f"term_{name}": rng.normal(0, 1, COUNT) for name in ("motion", "reasoning", "comfort")}
    weights = {"extra:weights.motion": 1.0, "extra:weights.reasoning": 0.6, "extra:weights.comfort": 0.5}

    def judged(*factors: float, names: tuple[str, ...] = tuple(terms), **columns: np.ndarray) -> list[tuple[str, str]]:
        values = dict(zip(names, (columns.get(name, terms[name]) for name in terms), strict=True))
        reward = sum(factor * value for factor, value in zip(factors, values.values(), strict=True))
        kept = {name.replace("reasoning", names[1][5:]): value for name, value in weights.items()}
        return told(subtracted_terms, foreign_rows(rng, reward=reward, **values), **kept)

    assert judged(1.0, -0.6, 0.5) == [("critical", "metric_defect")]
    assert judged(1.0, 0.0, 0.5) == DEFECT
    assert judged(1.0, 0.6, 0.5) == judged(3.0, 1.8, 1.5) == []
    assert judged(1.0, 1.0, 1.0) == []  # weighted before they were stored
    cost = ("term_motion", "term_length_cost", "term_comfort")
    assert judged(1.0, -0.6, 0.5, names=cost, term_reasoning=rng.random(COUNT)) == []


def test_a_merit_that_is_subtracted(rng):
    right = rng.integers(0, 2, COUNT).astype(float)
    terms = {"term_task": rng.normal(0, 1, COUNT), "term_clarity": right + rng.normal(0, 0.5, COUNT)}
    rows = foreign_rows(rng, correct=right, **terms)
    found = [("warning", "reward_bias")]
    assert told(subtracted_terms, rows.assign(reward=terms["term_task"] - 0.3 * terms["term_clarity"])) == found
    assert told(subtracted_terms, rows.assign(reward=terms["term_task"] + 0.3 * terms["term_clarity"])) == []
    cost = rows.rename(columns={"term_clarity": "term_length"})
    assert told(subtracted_terms, cost.assign(reward=terms["term_task"] - 0.3 * terms["term_clarity"])) == []
    noisy = terms["term_task"] - 0.3 * terms["term_clarity"] + rng.normal(0, 0.1, COUNT)
    assert told(subtracted_terms, rows.assign(reward=noisy)) == []


def test_sequences_that_end_at_a_cap_on_their_way_to_the_loss(rng):
    whole = rng.integers(50, 300, COUNT).astype(float)
    rows, found = foreign_rows(rng, num_turns=3), [("warning", "loss_mask")]
    texts = {"extra:response_tokens": whole, "extra:train_tokens": np.minimum(whole, 200)}
    assert told(cut_sequences, rows, **texts) == found
    assert told(cut_sequences, rows.assign(is_truncated=whole > 200), **texts) == []
    assert told(cut_sequences, rows, **texts | {"extra:train_tokens": whole}) == []
    assert told(cut_sequences, rows, **texts | {"extra:train_tokens": np.floor(whole / 2)}) == []
    other = {"extra:response_tokens": whole, "extra:final_tokens": np.minimum(whole, 200)}
    assert told(cut_sequences, rows, **other) == []
    masks = {"extra:messages_in_loss.policy": np.where(whole > 200, 0.5, 1.0)}
    assert told(cut_sequences, rows, **other, **masks) == found


def test_the_mark_that_a_user_ends_with():
    says = Message(role="assistant", content="Which depot?")

    def mark(text: str) -> str:
        return turns(attempt(says, Message(role="user", content=text)))["end_mark"]

    assert mark("I was never told. ###OUT-OF-SCOPE###") == "###OUT-OF-SCOPE###"
    assert mark("Bye. [END CALL]\n") == "[ENDCALL]"
    assert mark("###STOP### Thank you.") == mark("Thank you.") == ""


def test_conversations_that_are_aborted_and_scored(rng):
    aborted = rng.random(COUNT) < 0.3
    rows, found = foreign_rows(rng, stop_reason="user_stop"), [("warning", "metric_defect")]
    marks = np.where(aborted, "###ABORT###", "###STOP###")
    assert told(aborted_ends, rows, end_mark=marks) == found
    assert told(aborted_ends, rows, end_mark="###STOP###") == []
    apart = rows.assign(stop_reason=np.where(aborted, "aborted", "user_stop"))
    assert told(aborted_ends, apart, end_mark=marks) == []
    assert told(aborted_ends, rows.assign(in_loss=1.0 - aborted), end_mark=marks) == []
    assert told(aborted_ends, rows.assign(reward=1.0 - aborted), end_mark=marks) == []  # the mark is the outcome
    # A mark that says nothing: its attempts are paid by their problem, whatever they did.
    named = np.where(aborted, "<handover>", "<bye>")
    assert told(aborted_ends, rows, end_mark=named) == []
    by_problem = rows.assign(reward=np.where(aborted, PROBLEM % 2, rows["reward"]).astype(float))
    assert told(aborted_ends, by_problem, end_mark=named) == found


@pytest.mark.parametrize(
    ("asked", "said", "is_so"),
    [
        ("End with a line 'Answer: ' and the letter.", "Thus it is.\nAnswer: D", True),
        ("End with a line 'Answer: ' and the letter.", "Thus it is.\nANSWER: D", True),
        ("End with a line 'Answer: ' and the letter.", "Thus it is D", False),
        ("Put the answer: in \\boxed{}.", "Thus it is.\nAnswer: D", False),
        ("Which letter?", "Thus it is.\nAnswer: D", False),
        ("Which letter?", "", False),
    ],
)
def test_an_answer_in_the_form_that_its_prompt_asks_for(asked, said, is_so):
    row = Trajectory.model_construct(
        messages=[Message(role="user", content=asked), Message(role="assistant", content=said)]
    )
    assert as_asked(transcript(row)) is is_so
