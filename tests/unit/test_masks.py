"""Trajectory masks: which episodes of several turns are degenerate, and that none is masked unless asked for."""

import pytest

from evotrainer.algorithm.credit import assign_credit, masked_rows
from evotrainer.algorithm.filters import GroupFilter
from evotrainer.config import Config
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import with_values
from evotrainer.domains import factors_in
from evotrainer.records import Message, ToolCall, Trajectory
from tests.code_sources import attempt

READ, OTHER = ToolCall(name="read_file", arguments={"path": "a.py"}), ToolCall(name="search", arguments={"text": "x"})
EDIT = ToolCall(name="edit", arguments={"path": "a.py", "old": "1", "new": "2"})
SUBMIT = ToolCall(name="submit")


def episode(*turns: ToolCall | None, number: int = 0, fails: bool = False, is_cut: bool = False) -> Trajectory:
    """Return an episode with one call a turn, None for a turn that only talks."""
    messages = [Message(role="user", content="mend it")]
    for call in turns:
        messages.append(Message(role="assistant", content="hm", tool_calls=[call] if call else []))
        if call:
            failed = fails and call == EDIT
            messages.append(Message(role="tool", content="no" if failed else "ok", tool_name=call.name, ok=not failed))
    return attempt(1, number, False, 9).model_copy(
        update={"messages": messages, "num_turns": len(turns), "is_truncated": is_cut}
    )


HONEST = episode(OTHER, READ, EDIT, SUBMIT)
CASES = {
    "mask_abandon": [episode(READ, SUBMIT), episode(READ, EDIT, SUBMIT, fails=True)],
    "mask_idle": [episode(None, None, EDIT, SUBMIT), episode(None, None, None)],
    "mask_echo": [episode(READ, READ, READ, READ, EDIT, SUBMIT), episode(*[READ, OTHER] * 4, EDIT)],
    "mask_truncated": [episode(READ, EDIT, READ, is_cut=True)],
}


def config(*names: str) -> Config:
    return with_values(Config(), {"sampling.max_turns": 9, **{f"filter.{name}": True for name in names}})


@pytest.mark.parametrize("name", CASES)
def test_a_mask_leaves_out_its_own_kind_and_no_honest_work(name):
    rows = [*CASES[name], HONEST]
    assert masked_rows(rows, config(name)) == frozenset(range(len(CASES[name])))
    assert masked_rows(rows, config()) == frozenset()


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("mask_abandon", episode(READ, READ, is_cut=True)),
        ("mask_idle", episode(None, READ, EDIT, SUBMIT)),
        ("mask_echo", episode(READ, EDIT, READ, EDIT, READ, EDIT, READ, SUBMIT)),
    ],
)
def test_what_only_resembles_it_is_not_masked(name, row):
    assert masked_rows([row], config(name)) == frozenset()


def test_an_answer_in_one_turn_gives_nothing_up():
    assert masked_rows([episode(None)], with_values(Config(), {"filter.mask_abandon": True})) == frozenset()


def test_what_is_masked_sets_no_baseline():
    rows = [
        HONEST.model_copy(update={"reward": 1.0, "correct": 1.0}),
        episode(READ, EDIT, number=1),
        *[one.model_copy(update={"attempt": place + 2}) for place, one in enumerate(CASES["mask_echo"])],
    ]
    recipe = config("mask_echo")
    credit = assign_credit(rows, recipe, GroupFilter(recipe.filter))
    assert [row.in_loss for row in credit.rows] == [True, True, False, False]
    assert credit.rows[0].advantage == pytest.approx(-(credit.rows[1].advantage or 0.0))


def test_the_masks_are_a_factor_of_domains_with_tools_and_no_part_of_a_recipe_without_them():
    swe = with_values(Config(), {"domain.name": "swe"})
    assert "episode_mask" in factors_in(swe) and "episode_mask" not in factors_in(Config())
    assert recipe_hash(config()) != recipe_hash(config("mask_echo"))
