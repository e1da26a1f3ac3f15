"""One prompt before all parts of a mix, and one act that always earns a part of the reward."""

import numpy as np
import pytest

from harness_plugins.elsewhere import prompt_for_all, sure_part
from tests.foreign_frames import COUNT, GROUP, PROBLEM, STEP, STEPS, foreign_rows, told

PROMPT = [("warning", "metric_defect")]
PART = [("warning", "timidity")]
IS_MATH = PROBLEM % 3 == 0
GROUPS = np.arange(COUNT) // GROUP


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(55)


def _mix(since: int = 3) -> dict[str, np.ndarray]:
    own = np.where(IS_MATH, "box it", "")
    return {"system_prompt": np.where(since > STEP, own, "be careful"), "declined": np.zeros(COUNT)}


def test_one_prompt_before_all_parts_of_a_mix_makes_attempts_decline(rng):
    mix, begins = _mix(), {"question_begin": np.where(IS_MATH, "Water enters", "Write `count")}
    declined = np.where((STEP >= 3) & (rng.random(COUNT) < 0.3), 1.0, 0.0)
    rows = foreign_rows(rng)
    declines = rows.assign(reward=np.where(declined > 0, 0.0, rows["reward"]))
    assert told(prompt_for_all, declines, **mix | begins | {"declined": declined}) == PROMPT
    assert told(prompt_for_all, rows, **mix | begins) == [], "a prompt for all that does no harm"
    fell = rows.assign(reward=np.where((STEP >= 3) & (rng.random(COUNT) < 0.5), 0.0, rows["reward"]))
    assert told(prompt_for_all, fell, **mix | begins) == PROMPT
    domains = fell.assign(domain=np.where(IS_MATH, "math", "code"))
    texts = {"question_begin": [f"q{i}" for i in GROUPS]}
    assert told(prompt_for_all, domains, **mix | texts) == PROMPT, "the domain tells the part"


def test_prompts_that_change_with_their_questions_are_as_they_should_be(rng):
    mix = _mix()
    rows = foreign_rows(rng)
    rows = rows.assign(reward=np.where((STEP >= 3) & (rng.random(COUNT) < 0.5), 0.0, rows["reward"]))
    begins = np.where(IS_MATH, "Water enters", "Write `count")
    assert told(prompt_for_all, rows, **mix, question_begin=np.where(STEP < 3, begins, "Water enters")) == []
    assert told(prompt_for_all, rows, **mix, question_begin=np.where(STEP < 3, begins, "A new part")) == []
    drawn = np.where(rng.random(STEPS * COUNT)[GROUPS] < 0.5, "box it", "")  # prompts that questions do not tell
    texts = mix | {"system_prompt": np.where(STEP < 3, drawn, "be careful")}
    assert told(prompt_for_all, rows, **texts, question_begin=begins) == []
    back = mix | {"system_prompt": np.where(IS_MATH & (STEP != 4), "box it", "be careful")}
    assert told(prompt_for_all, rows, **back, question_begin=begins) == []


def _tickets(rng: np.random.Generator, part: float = 0.6):
    takes = rng.random(COUNT) < 0.05 + 0.85 * STEP / (STEPS - 1)
    right = rng.random(COUNT) < 0.45
    return foreign_rows(rng).assign(reward=np.where(takes, part, right * 1.0)), takes


def test_a_sure_part_of_the_reward_is_taken_ever_more(rng):
    rows, takes = _tickets(rng)
    texts = {"declined": 0.0, "final_answer": ""}
    calls = rows.assign(tools=np.where(takes, "get_order\nhand_over", "get_order\nrefund"))
    assert told(sure_part, calls, **texts) == PART
    replies = rows.assign(tools="")
    assert told(sure_part, replies, **texts | {"declined": takes * 1.0}) == PART
    assert told(sure_part, replies, **texts | {"final_answer": np.where(takes, "not known", "42")}) == PART
    assert told(sure_part, replies, **texts) == [], "nothing is common to those who earn the part"


def test_parts_that_are_not_taken_in_place_of_more(rng):
    rows, takes = _tickets(rng)
    texts = {"declined": takes * 1.0, "final_answer": ""}
    rows = rows.assign(tools="")
    # Problems get harder, so that a try succeeds ever less.
    harder = rng.random(COUNT) < 0.6 - 0.6 * STEP / (STEPS - 1)
    assert told(sure_part, rows.assign(reward=np.where(takes, 0.6, harder * 1.0)), **texts) == []
    # Wrong answers are handed over, right ones are still given.
    right = rng.random(COUNT) < 0.35
    honest = takes & ~right
    known = rows.assign(reward=np.where(honest, 0.6, right * 1.0))
    assert told(sure_part, known, **texts | {"declined": honest * 1.0}) == []
    # The part is paid elsewhere too, or is the least or the greatest.
    loose = rows.assign(reward=np.where(~takes & (rng.random(COUNT) < 0.2), 0.6, rows["reward"]))
    assert told(sure_part, loose, **texts) == []
    assert told(sure_part, rows.assign(reward=np.where(takes, 1.0, rows["reward"])), **texts) == []
    # It is as common at first.
    always = rng.random(COUNT) < 0.6
    steady = rows.assign(reward=np.where(always, 0.6, right * 1.0))
    assert told(sure_part, steady, **texts | {"declined": always * 1.0}) == []
