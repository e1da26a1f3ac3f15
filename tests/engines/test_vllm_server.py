"""A server that EvoTrainer starts: equal to transformers, new weights in place, whole stages, and its death."""

import os
import signal
from itertools import product
from pathlib import Path

import psutil
import pytest
import torch
from transformers import AutoModelForCausalLM

from evotrainer.config import Config, DomainConfig, RewardConfig
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.engines.vllm.engine import VllmRolloutEngine
from evotrainer.errors import ServerLostError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals
from evotrainer.records import Problem
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from tests.asking_domain import ask_problem
from tests.engines.conftest import vllm_config
from tests.trained_campaign import LEARNS, TrainedCampaign, small_config

PROMPTS = [[9, 10, 11], [12, 13], [14] * 30, list(range(8, 24)) * 9]
SEEDS = [3, 1, 4, 1]
RULES = EpisodeRules(DomainConfig(name="tests.asking_domain:ASK"), SamplingParams(6), 4, RewardConfig(format=0.1))


def engine_of(path: Path, config: Config | None = None) -> VllmRolloutEngine:
    engine = create_rollout_engine(config or vllm_config(), path)
    assert isinstance(engine, VllmRolloutEngine)
    return engine


def worst_difference(path: Path, prompts: list[list[int]], drawn: list[Completion]) -> float:
    """Return the largest difference between given logprobs and those of transformers."""
    model, worst = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32), 0.0
    for prompt, completion in zip(prompts, drawn, strict=True):
        with torch.inference_mode():
            logprobs = model(torch.tensor([[*prompt, *completion.token_ids]])).logits[0].log_softmax(-1)
        for place, (token, given) in enumerate(zip(completion.token_ids, completion.logprobs, strict=True)):
            worst = max(worst, abs(float(logprobs[len(prompt) - 1 + place, token]) - given))
    return worst


@pytest.mark.parametrize("sampling", [SamplingParams(16, 0.0), SamplingParams(16), SamplingParams(16, 0.6, 0.9)])
def test_logprobs_are_those_of_transformers_before_and_after_a_sync(
    digits: Path, sharper: Path, sampling: SamplingParams
) -> None:
    engine = engine_of(digits)
    for path in (digits, sharper, digits):
        engine.sync(path)
        drawn = engine.generate(PROMPTS, sampling, SEEDS)
        assert worst_difference(path, PROMPTS, drawn) < 1e-4
        again = engine.generate(PROMPTS, sampling, SEEDS)
        assert [found.token_ids for found in again] == [found.token_ids for found in drawn]
        if sampling.temperature == 0:
            own = TorchRolloutEngine(EmbeddedPolicy.load(path)).generate(PROMPTS, sampling, SEEDS)
            assert [found.token_ids for found in drawn] == [found.token_ids for found in own]


def test_episodes_of_several_turns(digits: Path) -> None:
    identity = EpisodeIdentity("camp", "v002", "rollout", campaign_seed=11, step=4)
    problems = [ask_problem(str(turns), turns) for turns in (1, 2, 3)]
    rows, turns = play_attempts(engine_of(digits), [*product(problems, range(16))], RULES, identity)
    assert {row.error for row in rows} == {None}
    assert {row.num_turns for row in rows if row.stop_reason == "stop"} == {1, 2, 3}
    drawn = [Completion(tuple(turn.token_ids), tuple(turn.logprobs), "") for turn in turns]
    assert worst_difference(digits, [turn.prompt_ids for turn in turns], drawn) < 1e-4


def test_more_prompt_tokens_than_one_step_reads(digits: Path) -> None:
    """A prompt read in parts would have vLLM rewind a seed's generator, which ends its worker on a CPU."""
    prompts = [[9 + row % 8, *range(8, 24)] * 11 for row in range(48)]
    drawn = engine_of(digits).generate(prompts, SamplingParams(8), range(48))
    assert worst_difference(digits, prompts, drawn) < 1e-4


def test_rest_on_a_cpu_changes_nothing(digits: Path) -> None:
    engine = engine_of(digits)
    engine.rest()
    assert worst_difference(digits, PROMPTS, engine.generate(PROMPTS, SamplingParams(4), SEEDS)) < 1e-4


def test_stages_of_a_campaign(tmp_path: Path, digits: Path, digit_problems: list[Problem]) -> None:
    """Roll out, train with a sync before each step, evaluate and compare, as with the engine of torch."""
    config = small_config(recipe_seeds=0)
    config.engine, config.algorithm.learning_rate = vllm_config().engine, LEARNS
    campaign = TrainedCampaign(tmp_path, digits, config, digit_problems)
    campaign.run("v000", "base")
    campaign.run("v001", "baseline")
    own = campaign.files.version("v001")
    signals, rows = read_signals(own.training), list(Rows.read(own.training))
    assert len(signals) >= 3 and all(row.extra["num_errors"] == 0 for row in signals)
    assert len({row.policy_id for row in rows}) == len(signals)
    assert {row.policy_id for row in Rows.read(own.validation)} == {policy_hash(own.model)}
    before, after = (campaign.files.version(name).verdict.read() for name in ("v000", "v001"))
    assert before.score is not None and after.score is not None and after.score > before.score


def test_a_server_that_dies_ends_the_stage_and_its_processes(digits: Path) -> None:
    engine = engine_of(digits)
    engine.generate(PROMPTS, SamplingParams(4), SEEDS)
    keeper = next(child for child in psutil.Process().children() if "processes.py" in " ".join(child.cmdline()))
    workers = keeper.children(recursive=True)
    os.kill(keeper.children()[0].pid, signal.SIGKILL)
    with pytest.raises(ServerLostError, match="the vLLM server ended: .*; run the campaign again, it goes on"):
        for _ in range(100):
            engine.generate(PROMPTS, SamplingParams(16), SEEDS)
    assert not psutil.wait_procs(workers, timeout=30)[1]
