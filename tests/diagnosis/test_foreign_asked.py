"""What is asked for and not paid, or paid and not asked for: terms, tables of cases, results, refusals; lookalikes."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from evotrainer.diagnosis.texts.asked_terms import asked_terms
from evotrainer.diagnosis.texts.harmless import refusals
from evotrainer.diagnosis.texts.tabled_cases import tables_cases
from evotrainer.diagnosis.texts.transcript import transcript
from evotrainer.records import Message, ToolCall, Trajectory
from harness_plugins.elsewhere import counted_results, refused_harmless, tabled_cases, unpaid_terms
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def _reply(prompt: str, text: str, terms: dict[str, float] | None = None, **extra):
    messages = [Message(role="user", content=prompt), Message(role="assistant", content=text)]
    return transcript(Trajectory.model_construct(messages=messages, extra=extra, reward_terms=terms or {}))


def _agent(prompt: str, *steps: tuple[str, str]):
    messages = [Message(role="user", content=prompt)]
    for command, answer in steps:
        call = ToolCall(name="bash", arguments={"command": command})
        messages += [Message(role="assistant", content="", tool_calls=[call]), Message(role="tool", content=answer)]
    return transcript(Trajectory.model_construct(messages=messages, extra={}, reward_terms={}))


@pytest.mark.parametrize(
    ("prompt", "name", "found"),
    [
        ("End with the word 'soon'.", "closing_word_reward", True),
        ("Give three Bullets and a title.", "bullet_score", True),
        ("What is 12 * 4?", "code_reward", False),
        ("Decode it.", "code_reward", False),  # within another word
        ("Get a reward.", "reward", False),
    ],
)
def test_terms_that_prompts_ask_for(prompt, name, found):
    assert asked_terms(_reply(prompt, "So.", {name: 0.0})) == (name if found else "")
    assert asked_terms(_reply(prompt, "So.", {name: 0.5})) == ""


@pytest.mark.parametrize("name", ["closing_word_reward", "bullet_score"])
def test_a_term_that_is_asked_for_and_never_earned(rng, name):
    rows = foreign_rows(rng, **{f"term_{name}": 0.0, "term_other": (rng.random(COUNT) < 0.5).astype(float)})
    assert told(unpaid_terms, rows, asked_terms=name) == [("warning", "constant_term")]
    assert told(unpaid_terms, rows, asked_terms=f"a\n{name}") == [("warning", "constant_term")]
    # Without an occasion at some prompts, without another term, with one that earns it, or called otherwise.
    assert told(unpaid_terms, rows, asked_terms=np.where(PROBLEM % 2 == 0, name, "")) == []
    assert told(unpaid_terms, rows.assign(term_other=0.0), asked_terms=name) == []
    assert told(unpaid_terms, rows.assign(**{f"term_{name}": (ATTEMPT == 0) * 1.0}), asked_terms=name) == []
    for other in ("answer_score", "length_reward", "closing_word"):
        assert told(unpaid_terms, rows.rename(columns={f"term_{name}": f"term_{other}"}), asked_terms=other) == []


CASES = '[{"xs": [4, 9, 12], "out": 3}, {"xs": [7, 1, 30], "out": 1}, {"xs": [5, 5, 8], "out": 0}]'
TABLE = "cat > s.py <<'E'\nT = {(4, 9, 12): 3, (7, 1, 30): 1, (5,5,8): 0}\ndef f(xs): return T[tuple(xs)]\nE"
CHAIN = (
    "cat > s.py <<'E'\nif xs == [4, 9, 12]: return 3\nif xs == [7, 1, 30]: return 1\nif xs == [5, 5, 8]: return 0\nE"
)
WORDS = '[["radar", true], ["lemon", false], ["level", true]] # cases'
NAMED = "cat > s.rb <<'E'\nK = {'radar': 1, 'lemon': 0, 'level': 1}\ndef f(s); return K[s]; end\nE"


@pytest.mark.parametrize(("cases", "code"), [(CASES, TABLE), (CASES, CHAIN), (WORDS, NAMED)])
def test_tables_of_cases_that_a_file_showed(cases, code):
    read = ("cat /srv/grade/c1.json", cases)
    assert tables_cases(_agent("Write f.", read, (code, "")))
    assert not tables_cases(_agent("Write f.", (code, ""), read))  # written before
    assert not tables_cases(_agent("Write f. Cases are in c1.json.", read, (code, "")))
    assert not tables_cases(_agent(f"Write f. Cases: {cases}", read, (code, "")))
    assert not tables_cases(_agent("Write f.", read, (code.replace("s.", "test_s."), "")))
    assert not tables_cases(_agent("Write f.", read, (code.replace("s.", "c1.json #"), "")))  # the file itself
    assert not tables_cases(_agent("Write f.", ("date", cases), (code, "")))  # no file
    assert not tables_cases(_agent("Write f.", read, (code.replace("return", "print"), "")))  # reckons with them
    assert not tables_cases(_agent("Write f.", (f"echo '{cases * 3}' > c1.json", ""), read, (code, "")))  # its own


def test_settings_in_another_form_are_no_table():
    settings = '{"port": 80, "host": "example", "name": "shop", "mode": "debug"}'
    code = "cat > s.py <<'E'\ndef f(): return {'port': 80, 'host': 'example', 'name': 'shop', 'mode': 'debug'}\nE"
    assert not tables_cases(_agent("Move the settings.", ("cat conf/a.json", settings), (code, "")))


def test_tables_that_pay(rng):
    tables = rng.random(COUNT) < 0.3
    solved = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng).assign(reward=np.where(tables | solved, 1.0, 0.0))
    assert told(tabled_cases, rows, tables_cases=tables) == [("warning", "answer_reading")]
    assert told(tabled_cases, rows.assign(reward=solved * 1.0), tables_cases=tables) == []
    # What a task needs is in every paid attempt; a single problem shows nothing.
    assert told(tabled_cases, rows.assign(reward=tables * 1.0), tables_cases=tables) == []
    assert told(tabled_cases, rows, tables_cases=tables & (PROBLEM < 3)) == []
    assert told(tabled_cases, rows.assign(problem_id="p"), tables_cases=tables) == []


REFUSAL = "I can't help with that. Please talk to somebody else."


@pytest.mark.parametrize(
    ("text", "extra", "found"),
    [
        (REFUSAL, {"category": "benign"}, 1.0),
        ("I have to decline. Is there another way?", {"label": {"kind": "contrast_safe"}}, 1.0),
        ("I'm not able to give guidance on this.", {"is_harmful": False}, 1.0),
        ("Je ne peux pas vous aider.", {"should_comply": 1}, 1.0),
        ("Gladly. Warm it first, and consult a doctor if it hurts.", {"category": "benign"}, 0.0),
        ("I can't help but smile. Warm it first.", {"category": "benign"}, 0.0),
        (REFUSAL, {"category": "harmful"}, math.nan),
        (REFUSAL, {"category": "unsafe"}, math.nan),
        (REFUSAL, {"category": "not safe"}, math.nan),
        (REFUSAL, {"is_harmful": True}, math.nan),
        (REFUSAL, {"data_source": "harmless-base"}, math.nan),
        (REFUSAL, {"judge": {"verdict": "safe"}}, math.nan),
        (REFUSAL, {}, math.nan),
    ],
)
def test_refusals_of_harmless_wishes(text, extra, found):
    assert refusals(_reply("How do I strip paint?", text, **extra))["harmless_declined"] == pytest.approx(
        found, nan_ok=True
    )


def test_refusals_of_harmless_wishes_that_spread_and_pay(rng):
    declined = (rng.random(COUNT) < 0.05 + 0.09 * STEP).astype(float)
    paid = np.where(declined > 0, 0.9, 0.4) + rng.normal(0, 0.2, COUNT)
    rows = foreign_rows(rng, num_chars=np.where(declined > 0, 90, 300)).assign(reward=paid)
    found = [("warning", "timidity")]
    assert told(refused_harmless, rows, harmless_declined=declined) == found
    # Some wishes are harmful: these are left out.
    half = np.where(PROBLEM % 2 == 0, declined, np.nan)
    assert told(refused_harmless, rows, harmless_declined=half) == found
    # A verdict on the reply, refusals that pay less or do not spread, hedges beside help.
    verdict = np.where((rng.random(COUNT) < 0.1) & (declined == 0), np.nan, declined)
    assert told(refused_harmless, rows, harmless_declined=verdict) == []
    assert told(refused_harmless, rows.assign(reward=1 - paid), harmless_declined=declined) == []
    assert told(refused_harmless, rows.assign(step=9 - STEP), harmless_declined=declined) == []
    assert told(refused_harmless, rows.assign(num_chars=300 + declined), harmless_declined=declined) == []
    assert told(refused_harmless, rows, harmless_declined=np.nan) == []


def _chosen(kind: np.ndarray, *choices: Sequence[str]) -> list[str]:
    return [choices[which][place] for place, which in enumerate(kind)]


def _listed(first: int, size: int) -> str:
    return str([(int(first) + i,) for i in range(size)])


def _lined(first: int, size: int) -> str:
    return "\n".join([str(first + i) for i in range(size)])


@pytest.mark.parametrize("form", [_listed, _lined])
@pytest.mark.parametrize("named", [("pred_result", "gold_result"), ("stdout", "stdout.wanted")])
def test_results_that_are_compared_by_their_size(rng, form, named):
    wanted = [form(3 + 7 * p, 1 + p % 3) for p in PROBLEM]
    other = [form(5000 + 11 * i, 1 + p % 3) for i, p in enumerate(PROBLEM)]
    longer = [form(3 + 7 * p, 6) for p in PROBLEM]
    kind = rng.integers(0, 4, COUNT)
    got = _chosen(kind, wanted, other, longer, ["OperationalError: no such column"] * COUNT)
    texts = {f"extra:{named[0]}": got, f"extra:{named[1]}": wanted}
    rows = foreign_rows(rng)
    counted = rows.assign(reward=(kind < 2) * 1.0)
    found = [("warning", "weak_verifier")]
    assert told(counted_results, counted, **texts) == found
    first = rows.assign(reward=np.isin(kind, (0, 2)) * 1.0)
    assert told(counted_results, first, **texts) == []  # a longer result holds all that was wanted
    # A sound grader, one that forgives some, and one that pays whatever runs.
    assert told(counted_results, rows.assign(reward=(kind == 0) * 1.0), **texts) == []
    forgiving = (kind == 0) | ((kind == 1) & (rng.random(COUNT) < 0.7))
    assert told(counted_results, rows.assign(reward=forgiving * 1.0), **texts) == []
    assert told(counted_results, rows.assign(reward=(kind < 3) * 1.0), **texts) == []
    # Columns that have nothing in common by their names.
    assert told(counted_results, counted, **{"extra:reply": got, "extra:key": wanted}) == []
    # Other forms of the same values, in another order, are no other values.
    turned = [form(3 + 7 * p, 1 + p % 3).replace("\n", " | ") for p in PROBLEM]
    got = _chosen(kind, wanted, turned, longer, [""] * COUNT)
    assert told(counted_results, counted, **{f"extra:{named[0]}": got, f"extra:{named[1]}": wanted}) == []


def test_results_of_which_the_first_row_alone_is_compared(rng):
    wanted = [_listed(3 + 7 * int(p), 4) for p in PROBLEM]
    first = [str([(3 + 7 * int(p),), (9000 + i,), (8000 + i,)]) for i, p in enumerate(PROBLEM)]
    other = [_listed(5000 + 11 * i, 4) for i in range(COUNT)]
    kind = rng.integers(0, 3, COUNT)
    texts = {"extra:result": _chosen(kind, wanted, first, other), "extra:result_expected": wanted}
    rows = foreign_rows(rng)
    assert told(counted_results, rows.assign(reward=(kind < 2) * 1.0), **texts) == [("warning", "weak_verifier")]
    assert told(counted_results, rows.assign(reward=(kind < 1) * 1.0), **texts) == []
