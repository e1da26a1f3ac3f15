"""Code in the sandbox gives the bits that Python gives, whatever the rows, their order and their batches."""

import hypothesis.strategies as st
from hypothesis import given, settings

from evotrainer.algorithm.code import RecipeCode, worker
from evotrainer.algorithm.code.rows import rewarded_row, trajectory_row
from evotrainer.algorithm.credit import assign_credit
from evotrainer.algorithm.curriculum import ProblemSchedule
from evotrainer.algorithm.filters import GroupFilter
from evotrainer.algorithm.groups import Groups
from evotrainer.backtests.replay import replay, rescored
from evotrainer.config import Config
from evotrainer.config.code import CODE_KEYS, reference
from evotrainer.config.interventions import with_values
from tests.code_sources import GOOD, attempt, problems, sources

CODE = RecipeCode(sources(*GOOD.values()))
RECIPE = with_values(Config(), {key: reference(text) for key, text in GOOD.items()})
ODD = 'def reward(row):\n    return (row["num_tokens"] * 0.1 + len(row["messages"][1]["content"]) ** 0.5) % 1 - 0.3\n'

ATTEMPTS = st.lists(
    st.tuples(st.integers(0, 5), st.booleans(), st.integers(1, 48), st.booleans()), min_size=1, max_size=40
)


def rows_of(drawn):
    rows = []
    for number, (problem, correct, tokens, is_lost) in enumerate(drawn):
        lost = {"error": "SandboxError", "reward": None, "correct": None, "reward_terms": {}} if is_lost else {}
        rows.append(attempt(problem, number, correct, tokens).model_copy(update=lost))
    return rows


def in_python(key, item):
    space: dict = {}
    exec(GOOD[key], space)
    return space[CODE_KEYS[key]](item)


@given(ATTEMPTS)
@settings(max_examples=15, deadline=None)
def test_the_sandbox_gives_the_bits_of_python_and_lost_rows_earn_nothing(drawn):
    rows = rows_of(drawn)
    for text in (GOOD["reward.code"], ODD):
        config = with_values(Config(), {"reward.code": reference(text)}).reward
        space: dict = {}
        exec(text, space)
        for before, after in zip(rows, RecipeCode(sources(text)).rewarded(rows, config), strict=True):
            if before.error:
                assert after == before
            else:
                assert after.reward_terms["code"] == space["reward"](trajectory_row(before))
                assert after.reward == before.correct + after.reward_terms["code"]


@given(ATTEMPTS, st.integers(1, 7))
@settings(max_examples=10, deadline=None)
def test_batches_change_nothing(drawn, size):
    rows = rows_of(drawn)
    whole = CODE.rewarded(rows, RECIPE.reward)
    before, worker.BATCH_ROWS = worker.BATCH_ROWS, size
    try:
        assert CODE.rewarded(rows, RECIPE.reward) == whole
    finally:
        worker.BATCH_ROWS = before


@given(ATTEMPTS)
@settings(max_examples=15, deadline=None)
def test_masks_and_group_filters_do_what_their_functions_say(drawn):
    rows = CODE.rewarded(rows_of(drawn), RECIPE.reward)
    credit = assign_credit(rows, RECIPE, GroupFilter(RECIPE.filter), CODE)
    for members in Groups.of(rows).rows_of:
        counted = [
            rows[i]
            for i in members
            if rows[i].reward is not None and not in_python("filter.mask_code", rewarded_row(rows[i]))
        ]
        kept = bool(counted) and in_python("filter.group_code", [rewarded_row(row) for row in counted])
        for index in members:
            assert credit.rows[index].in_loss == (kept and rows[index] in counted)


@given(ATTEMPTS)
@settings(max_examples=10, deadline=None)
def test_a_backtest_scores_stored_rows_as_training_did(drawn):
    trained = CODE.rewarded(rows_of(drawn), RECIPE.reward)
    graded = [row for row in trained if row.error is None]
    replayed = CODE.rewarded([rescored(row, RECIPE) for row in graded], RECIPE.reward)
    assert [(row.reward, row.reward_terms) for row in replayed] == [(row.reward, row.reward_terms) for row in graded]
    assert rescored(graded[0], Config()).reward == graded[0].correct if graded else True
    replay(graded, RECIPE, CODE)


def test_weights_steer_what_is_drawn_and_zero_leaves_out():
    pool = problems()
    rates = {problem.problem_id: place / 23 for place, problem in enumerate(pool)}
    text = 'def weight(problem):\n    return 0 if problem["pass_rate"] < 0.5 else 1.5\n'
    config = with_values(Config(), {"data.weight_code": reference(text)}).data
    schedule = ProblemSchedule(pool, rates, config, 1, RecipeCode(sources(text)))
    drawn = [problem.problem_id for step in range(5) for problem in schedule.draw(step, 8, 0.0)]
    assert all(rates[name] >= 0.5 for name in drawn) and len(set(drawn)) > 8
    assert len(schedule.draw(0, 100, 0.0)) == 12
