"""Graders that read or run too little, keys in other units, languages, and numbers that only look wrong."""

import numpy as np
import pandas as pd
import pytest

from evotrainer.diagnosis.texts.gold import gold_column, is_gold, mentions_gold
from evotrainer.diagnosis.texts.languages import language
from evotrainer.diagnosis.texts.prompts import training_twins
from harness_plugins.elsewhere import (
    agreed_unpaid,
    any_number_paid,
    copies,
    gold_answers,
    idle_attempts,
    judge_refusals,
    language_drift,
    other_units,
    unequal_pay,
    untested_pay,
)
from harness_plugins.signal import advantage_mismatch
from tests.foreign_frames import COUNT, GROUP, PROBLEM, STEP, STEPS, foreign_rows, told


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(23)


def test_a_key_in_another_unit_is_told_from_errors_of_all_kinds(rng):
    minutes = (7 * PROBLEM + 50).astype(float)
    right = np.where(PROBLEM % 2, rng.random(COUNT) < 0.6, 0.0)
    rows = foreign_rows(rng, reward=right, correct=right)

    def keys(gold: np.ndarray, own: np.ndarray = minutes) -> list[tuple[str, str]]:
        given = np.where((PROBLEM % 2 == 1) & (right == 0), -1.0, own)
        is_gold = (np.abs(given - gold) < 0.01).astype(float)
        answers = [f"{value:g}" for value in given]
        return told(
            other_units, rows, **{"extra:gold": [f"{g:.2f}" for g in gold]}, final_answer=answers, is_gold=is_gold
        )

    hours = np.where(PROBLEM % 2, minutes, minutes / 60)
    assert keys(hours) == [("warning", "metric_defect")]
    assert keys(minutes) == []
    assert keys(np.where(PROBLEM % 2, minutes, 2 * minutes)) == []  # a policy that forgets to double
    assert keys(np.where(PROBLEM % 2, minutes, minutes * rng.uniform(0.2, 5.0, len(minutes)))) == []


def test_numbers_that_the_grader_cannot_read_are_told_by_their_way_of_writing(rng):
    right = rng.random(COUNT) < 0.6
    dotted = right & (rng.random(COUNT) < 0.4)
    answer = np.where(dotted, "1.250", np.where(right, "1250", "7"))
    texts = {"is_gold": right.astype(float), "extra:gold": "1250", "final_answer": answer}
    unread = foreign_rows(rng, reward=(right & ~dotted).astype(float))
    assert told(gold_answers, unread, **texts) == [("warning", "format_gate")]
    assert told(gold_answers, unread.assign(reward=right.astype(float)), **texts) == []
    anyhow = foreign_rows(rng, reward=(right & (rng.random(COUNT) < 0.6)).astype(float))
    assert told(gold_answers, anyhow, **texts) == [("warning", "metric_defect")]


def test_graders_that_disagree_on_right_answers_are_named(rng):
    right, image = rng.random(COUNT) < 0.6, rng.choice(["1.6", "1.3"], COUNT)
    refused = (image == "1.3") & (rng.random(COUNT) < 0.5)
    texts = {"is_gold": right.astype(float), "extra:image": image, "final_answer": "5"}
    rows = foreign_rows(rng, reward=(right & ~refused).astype(float))
    assert told(gold_answers, rows, **texts) == [("warning", "flaky_grading")]
    some = foreign_rows(rng, reward=(right & (rng.random(COUNT) < 0.7)).astype(float))
    assert told(gold_answers, some, **texts) == [("warning", "metric_defect")]


def test_pay_without_a_test_is_told_from_a_run_of_the_agents_own(rng):
    untested = (PROBLEM % 3 == 0).astype(bool)
    rows = foreign_rows(rng)
    paid = rows.assign(reward=np.where(untested, 1.0, rows["reward"]))
    assert told(untested_pay, paid, graded_untested=untested) == [("critical", "weak_verifier")]
    assert told(untested_pay, rows, graded_untested=untested) == []  # some of them fail: another test decides
    assert told(untested_pay, paid, graded_untested=False) == []


def test_a_count_of_what_passed_is_no_machine(rng):
    passed = rng.integers(0, 12, COUNT).astype(float)
    reward = np.where(passed < 5, 0.0, rng.random(COUNT) < 0.6).astype(float)
    rows = foreign_rows(rng, reward=reward, correct=reward)
    assert told(unequal_pay, rows, **{"extra:tests_passed": passed}) == []
    host = foreign_rows(rng, reward=np.where(passed == 3, 0.0, rng.random(COUNT) < 0.6).astype(float), correct=np.nan)
    assert told(unequal_pay, host, **{"extra:host": passed}) == [("critical", "infrastructure_zeros")]


TEXTS = {
    "spanish": "Hola Ada, gracias por escribirnos. El problema se resolverá en 4 días y no hace falta que haga nada.",
    "english": "Hello Ada, thank you for writing to us. The problem will be solved in 4 days and you need do nothing.",
    "german": "Hallo Ada, danke für die Nachricht. Das Problem ist in 4 Tagen gelöst und Sie werden nicht warten.",
    "french": "Bonjour Ada, merci pour votre message. Le problème sera résolu dans 4 jours et vous ne faites rien.",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_language_is_told_by_its_function_words(name: str):
    assert language(TEXTS[name]) == name


def test_formulas_and_programs_have_no_language():
    assert language("x = 3, y = 4, so 3 * 4 = 12 and 12 / 2 = 6") == ""
    assert language("```python\nfor the in of: that and is it for was\n```") == ""


def test_one_word_tells_no_language():
    assert language("Say a year, I say.\nI put it another way.\nI put a name, I say so.") != "czech"
    assert language("la Scala, la Fenice, la Pergola, la Spezia") == ""


def test_held_problems_are_known_though_training_holds_them_several_times():
    held = {f"h{i}": f"Find the remainder when {17 + 3 * i} is divided by {5 + i}." for i in range(12)}
    others = {f"t{i}": f"Add {31 * i + 7} and {11 * i + 90}, then halve the sum." for i in range(12)}
    again = {
        f"w{k}{i}": f"{label}{held[f'h{i}']}" for k, label in enumerate(("", "Problem: ", "Q. ")) for i in range(6)
    }
    found = training_twins(others | again, held)
    assert {name for name, (_, is_same) in found.items() if is_same} == {f"h{i}" for i in range(6)}
    levels = {f"t{i}": ("Push the box.", "Find the door.")[i % 2] for i in range(40)}
    assert training_twins(levels, {"a": "Push the box.", "b": "Find the door."}) == {}


def test_rounded_advantages_of_small_penalties_follow_their_reward(rng):
    right = (rng.random(COUNT) < 0.5).astype(float)
    reward = pd.Series(np.round(right - rng.uniform(2e-4, 9e-4, COUNT), 6))
    group = pd.Series(np.arange(COUNT) // GROUP)
    centred = np.round(reward - reward.groupby(group).transform("mean"), 5)
    rows = foreign_rows(rng, reward=reward, correct=right, advantage=centred)
    assert told(advantage_mismatch, rows) == []
    shuffled = rows.assign(advantage=rng.permutation(centred))
    assert told(advantage_mismatch, shuffled) == [("critical", "advantage_mismatch")]


def test_seeds_that_repeat_in_the_second_half_of_a_group(rng):
    texts = rng.integers(0, 10**6, COUNT)
    group = np.arange(COUNT) // 8
    half = np.where(np.arange(COUNT) % 8 < 4, np.arange(COUNT), np.arange(COUNT) - 4)
    rows = foreign_rows(rng, num_chars=200, group=group)
    paired = rows.assign(response_hash=[f"h{texts[place]}" for place in half])
    noise = rng.random(COUNT) < 0.05
    mostly = paired.assign(response_hash=np.where(noise, rows["response_hash"], paired["response_hash"]))
    assert told(copies, mostly) == [("critical", "entropy_collapse")]
    few = rows.assign(response_hash=[f"{g}-{k}" for g, k in zip(group, rng.integers(0, 5, COUNT), strict=True)])
    assert told(copies, few) == []  # five answers drawn anew leave some single


def test_a_source_whose_attempts_agree_on_what_is_not_paid(rng):
    wrong = (PROBLEM % 2 == 0) & (PROBLEM % 4 == 0)
    right = ~wrong & (rng.random(COUNT) < 0.7)
    rows = foreign_rows(rng, reward=right.astype(float), correct=right.astype(float))
    shard = np.where(PROBLEM % 2 == 0, "b", "a")
    answers = np.where(wrong | right, "07:30", np.arange(COUNT).astype(str))
    named = {"extra:shard": shard}
    assert told(agreed_unpaid, rows, final_answer=answers, **named) == [("warning", "metric_defect")]
    assert told(agreed_unpaid, rows, final_answer=np.where(right, "07:30", np.arange(COUNT).astype(str)), **named) == []
    anywhere = {"extra:shard": np.where(PROBLEM % 3 == 0, "b", "a")}
    assert told(agreed_unpaid, rows, final_answer=answers, **anywhere) == []


def test_a_number_beside_the_answer_that_is_paid(rng):
    assert mentions_gold({"gts": "3994"}, ["Perhaps 3,904 or 3994. I choose \\boxed{3993}"])
    assert not mentions_gold({"gts": "3994"}, ["13994 and 3994.5 and 39940"])
    gold, beside = rng.random(COUNT) < 0.4, rng.random(COUNT) < 0.4
    rows = foreign_rows(rng, reward=(gold | beside).astype(float))
    texts = {"is_gold": gold.astype(float), "mentions_gold": gold | beside, "told_gold": False, "is_marked": True}
    texts |= {"final_answer": "3993", "extra:gts": "3994"}
    assert told(any_number_paid, rows, **texts) == [("critical", "weak_verifier")]
    assert told(any_number_paid, rows.assign(reward=gold.astype(float)), **texts) == []


def test_a_language_that_nobody_asks_in_spreads(rng):
    spreads = rng.random(COUNT) < np.maximum(STEP - 3, 0) / STEPS
    rows, found = foreign_rows(rng), [("warning", "language_drift")]
    said = np.where(spreads, "english", "polish")
    texts = {"other_scripts": 0.0, "language": said}
    assert told(language_drift, rows, asked_language="", **texts) == found
    assert told(language_drift, rows, asked_language="polish", **texts) == found
    assert told(language_drift, rows, asked_language=said, **texts) == []  # the data move, and answers follow
    mixed = np.where(rng.random(COUNT) < 0.3, "english", said)
    assert told(language_drift, rows, asked_language="", **texts | {"language": mixed}) == []


def test_a_judge_that_fails_and_gives_a_default(rng):
    failed = rng.random(COUNT) < 0.3
    rows = foreign_rows(rng, reward=np.where(failed, 0.5, rng.choice([0.0, 0.4, 1.0], COUNT)), correct=np.nan)
    texts = {"grader_declines": np.where(failed, "comment", ""), "is_gold": np.nan}
    assert told(judge_refusals, rows, **texts) == [("warning", "infrastructure_zeros")]
    alike = rows.assign(reward=np.where(rng.random(COUNT) < 0.8, 0.5, rows["reward"]))
    assert told(judge_refusals, alike, **texts) == []


def test_scripts_and_idle_attempts_that_spread(rng):
    rows, spreads, drifted = foreign_rows(rng), rng.random(COUNT) < STEP / (STEPS - 1), [("warning", "language_drift")]
    unknown = {"language": "", "asked_language": ""}
    assert told(language_drift, rows, other_scripts=0.8 * spreads, **unknown) == drifted
    assert told(language_drift, rows, other_scripts=np.full(COUNT, 0.8), **unknown) == []
    idle = rows.assign(num_tool_calls=np.where(spreads, 0, 4), correct=np.nan)
    assert told(idle_attempts, idle) == [("warning", "timidity")]
    assert told(idle_attempts, idle.assign(reward=np.where(spreads, 0.0, 1.0))) == []


def test_a_grader_that_turns_some_verdicts_round_changes_its_mind(rng):
    right = rng.random(COUNT) < 0.5
    answer = np.where(right, "1250", np.where(rng.random(COUNT) < 0.7, "7", "9"))
    texts = {"is_gold": right.astype(float), "extra:gold": "1250", "final_answer": answer}
    turned = right ^ (rng.random(COUNT) < 0.25)
    assert told(gold_answers, foreign_rows(rng, reward=turned.astype(float)), **texts) == [("warning", "flaky_grading")]
    strict = right & (rng.random(COUNT) < 0.75)
    assert told(gold_answers, foreign_rows(rng, reward=strict.astype(float)), **texts) == [("warning", "metric_defect")]
    other = right ^ ((answer == "9") | (right & (rng.random(COUNT) < 0.2)))  # another form of the answer, always paid
    assert told(gold_answers, foreign_rows(rng, reward=other.astype(float)), **texts) == [("warning", "metric_defect")]


def test_a_question_that_is_asked_twice_leaves_the_other_gold_answers(rng):
    gold = pd.DataFrame({"gold": [f"{p}" for p in PROBLEM], "answer": [f"{p}" for p in PROBLEM]})
    problems = pd.Series([f"p{p}" for p in PROBLEM])
    same = problems.where(PROBLEM != 1, "p0")
    assert gold_column(gold, same) == "gold" and gold_column(gold[["answer"]], same) == ""
    nested = gold[["answer"]].rename(columns={"answer": "info.answer"})
    assert gold_column(nested, problems) == "info.answer" and gold_column(nested, same) == ""
    assert gold_column(nested.rename(columns={"info.answer": "reply.answer"}), problems) == ""
    known = is_gold(gold["gold"].tolist(), gold[["gold"]], same)
    assert np.isnan(known[PROBLEM < 2]).all() and (known[PROBLEM >= 2] == 1.0).all()
    assert gold_column(gold.assign(gold=[f"{i}" for i in range(COUNT)]), problems) == "answer", "the attempt's own"
