"""Episodes: turns, stops, failures and identities, with a real policy and an environment of several turns."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import DataError, EvidenceError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_tokens, write_rows
from evotrainer.records import TokenTurn
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.training.torch.batch import join_turns, turns_by_row
from tests.asking_domain import AskAgain, LastDigit, ask_problem


@pytest.fixture
def engine(digit_policy: Path) -> TorchRolloutEngine:
    prepare_torch(1)
    return TorchRolloutEngine(EmbeddedPolicy.load(digit_policy))


IDENTITY = EpisodeIdentity("camp", "v002", "rollout", campaign_seed=11, step=4)


def _rules(**options) -> EpisodeRules:
    values = {
        "domain": DomainConfig(name="tests.asking_domain:ASK"),
        "sampling": SamplingParams(6),
        "max_turns": 4,
        "reward": RewardConfig(correct=1.0, format=0.1),
    } | options
    return EpisodeRules(**values)


def test_turns_alternate_and_continue_the_same_ids(engine):
    rows, turns = play_attempts(
        engine, [*product([ask_problem("one", 1), ask_problem("three", 3)], range(6))], _rules(), IDENTITY
    )
    assert [row.problem_id for row in rows] == ["one"] * 6 + ["three"] * 6
    by_row = turns_by_row(turns)
    finished = [row for row in rows if row.problem_id == "three" and row.stop_reason == "stop"]
    assert finished
    for row in finished:
        assert row.num_turns == 3
        assert [message.role for message in row.messages] == ["user", *["assistant", "tool"] * 3]
        sequence = join_turns(by_row[row.trajectory_id], 1.0)
        assert sequence.num_sampled == row.num_tokens == sum(m.num_tokens or 0 for m in row.messages)
        sampled = [token for turn in by_row[row.trajectory_id] for token in turn.token_ids]
        assert [token for token, inside in zip(sequence.ids, sequence.mask, strict=True) if inside] == sampled
        whole = engine.codec.encode(row.messages[:-1])[:-1]  # without the opening of a further turn
        assert sequence.ids == whole


def test_re_tokenised_turns_are_refused():
    first = TokenTurn(trajectory_id="t", turn=0, prompt_ids=[1, 2], token_ids=[3], logprobs=[-0.1], in_loss=True)
    second = first.model_copy(update={"turn": 1, "prompt_ids": [1, 2, 4, 5]})
    with pytest.raises(EvidenceError, match="turn 1 of t does not continue"):
        join_turns([first, second], 0.0)


def test_limits_stop_an_episode(engine):
    rows, _ = play_attempts(engine, [*product([ask_problem("long", 9)], range(8))], _rules(max_turns=2), IDENTITY)
    assert {row.stop_reason for row in rows if row.num_turns == 2} <= {"max_turns", "max_tokens"}
    assert "max_turns" in {row.stop_reason for row in rows}
    assert all(row.is_truncated for row in rows)
    rows, _ = play_attempts(
        engine, [*product([ask_problem("cut")], range(8))], _rules(sampling=SamplingParams(2)), IDENTITY
    )
    assert {(row.stop_reason, row.num_tokens, row.num_turns) for row in rows} == {("max_tokens", 2, 1)}


@pytest.mark.parametrize(
    ("family", "error", "num_turns"),
    [("flaky", "GraderError", 1), ("breaks", "InfrastructureError", 1), ("down", "InfrastructureError", 0)],
)
def test_a_failure_of_the_machine_is_never_a_reward(engine, tmp_path: Path, family, error, num_turns):
    problems = [ask_problem("bad", family=family), ask_problem("good")]
    rows, turns = play_attempts(
        engine, [*product(problems, range(2))], _rules(sampling=SamplingParams(6, 0.0)), IDENTITY
    )
    bad = [row for row in rows if row.problem_id == "bad"]
    assert all((row.error, row.reward, row.correct, row.num_turns) == (error, None, None, num_turns) for row in bad)
    assert all(row.error is None and row.reward is not None for row in rows if row.problem_id == "good")
    write_rows(tmp_path, 0, rows, turns)
    assert list(Rows.read(tmp_path)) == rows and read_tokens(tmp_path) == turns


def test_draws_are_named_by_purpose_and_not_by_version_or_company(engine):
    def said(identity: EpisodeIdentity, names: list[str]) -> dict[tuple[str, int], str]:
        rows, _ = play_attempts(engine, [*product([ask_problem(name) for name in names], range(6))], _rules(), identity)
        return {(row.problem_id, row.attempt): row.messages[1].content for row in rows}

    base = said(IDENTITY, ["p", "q"])
    assert said(replace(IDENTITY, version="v003"), ["q", "p", "r"]).items() >= base.items()
    for changed in ({"purpose": "validation"}, {"campaign_seed": 12}, {"step": 5}, {"replicate": 1}):
        assert said(replace(IDENTITY, **changed), ["p", "q"]) != base


def test_an_unknown_character_in_a_problem_is_an_error_of_the_data(engine):
    with pytest.raises(DataError, match="'z'"):
        play_attempts(engine, [*product([ask_problem("odd", prompt="abz1")], range(1))], _rules(), IDENTITY)


def test_what_waits_for_the_sandbox_is_asked_for_at_a_time_and_ends_alike(engine, monkeypatch: pytest.MonkeyPatch):
    problems = [
        ask_problem("one", 3),
        ask_problem("two", 2),
        ask_problem("three", 1, "flaky"),
        ask_problem("four", 2, "breaks"),
        ask_problem("five", 3, "down"),
    ]
    alone = play_attempts(engine, [*product(problems, range(4))], _rules(max_turns=3), IDENTITY)
    for place in (AskAgain, LastDigit):
        monkeypatch.setattr(place, "waits_for_sandbox", True)
    assert play_attempts(engine, [*product(problems, range(4))], _rules(max_turns=3), IDENTITY) == alone
    assert [row.error for row in alone[0]].count(None) == 8


GRADED = {"correct": 1.0, "format": 1.0, "partial": 0.5}


def test_length_is_the_share_of_the_budget_and_a_cut_response_is_overlong():
    assert terms_of(GRADED, 12, 48, False) == {**GRADED, "length": 0.25, "overlong": 0.0}
    assert terms_of(GRADED, 60, 48, True) == {**GRADED, "length": 1.0, "overlong": 1.0}


@pytest.mark.parametrize(
    ("weights", "reward"),
    [
        ({}, 1.0),
        ({"judge": 0.5}, 1.0),  # a term that foreign rows may lack
        ({"correct": 2.0}, 2.0),
        ({"format": 0.1}, 1.1),
        ({"partial": 0.4}, 1.2),
        ({"length_penalty": 0.2}, 0.9),
        ({"overlong_penalty": 0.5}, 0.5),
    ],
)
def test_each_weight_acts_on_its_term_and_penalties_subtract(weights, reward):
    terms = {**GRADED, "length": 0.5, "overlong": 1.0}
    assert combine(terms, RewardConfig(**weights)) == pytest.approx(reward)
