"""OpenRLHF 0.11.2 itself, on a CPU: its parser, what it makes of our agent function, its advantages, its loss."""

import asyncio
import importlib
import importlib.util
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from evotrainer.algorithm.losses import Normaliser, policy_loss
from evotrainer.config import AlgorithmConfig, Config
from evotrainer.engines.codec import HfChatCodec
from evotrainer.training.openrlhf.groups import read_group
from evotrainer.training.openrlhf.inputs import AGENT, RunFiles, WorkerSpec, arguments, write_agent
from tests.engines.openrlhf_parser import RECORD, describe, parse
from tests.engines.openrlhf_release import modules_of, release
from tests.model_directories import qwen
from tests.swe_problems import calc_problem
from tests.unit.test_openrlhf_options import VARIANTS, composed

CONTEXT = 4096


FOLDER = release()
if FOLDER is None:
    pytest.skip("needs the files of OpenRLHF: make openrlhf-release", allow_module_level=True)


@pytest.fixture
def folder() -> Path:
    assert FOLDER is not None
    return FOLDER


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("qwen") / "model"
    qwen(path)
    config = json.loads((path / "config.json").read_text()) | {"max_position_embeddings": CONTEXT}
    (path / "config.json").write_text(json.dumps(config))
    return path


def test_the_recorded_flags_are_those_of_the_parser(folder: Path):
    assert json.loads(RECORD.read_text()) == describe(folder)


@pytest.mark.parametrize("settings", [[], *VARIANTS], ids=" ".join)
def test_the_parser_takes_each_command_line(folder: Path, model: Path, settings: list[str]):
    config = composed(*settings)
    found = parse(folder, arguments(config, model, 2**40 + 7, RunFiles(Path("/run"))))
    assert found["rollout"]["batch_size"] == config.sampling.problems_per_step
    assert found["actor"]["adam"]["lr"] == config.algorithm.learning_rate
    assert found["actor"]["eps_clip_low_high"] == [config.algorithm.clip_low, config.algorithm.clip_high]
    assert found["reward"]["clip_range"] == [-1e6, 1e6]
    assert found["train"]["seed"] == 7 and found["data"]["max_len"] == CONTEXT
    warm_up = found["actor"]["lr_warmup_ratio"] * config.budget.max_steps * config.algorithm.num_minibatches
    assert -(-warm_up // 1) == config.algorithm.warmup_steps


CALLS = {
    "fixes": [
        ("read_file", {"path": "calc.py"}),
        ("edit", {"path": "calc.py", "old": "a - b", "new": "a + b"}),
        ("submit", {}),
    ],
    "looks": [("read_file", {"path": "calc.py"}), ("run_tests", {}), ("submit", {})],
}


class Engine:
    """vLLM's side: answers with the calls of a script, and remembers what it was asked for."""

    def __init__(self, codec: HfChatCodec, script: list[tuple[str, dict[str, Any]]]) -> None:
        self.codec, self.script, self.asked, self.said = codec, list(script), [], []

    async def generate(self, prompt_ids, params, multi_modal_data=None):
        self.asked.append((list(prompt_ids), params))
        name, given = self.script[len(self.said)]
        call = json.dumps({"name": name, "arguments": given})
        ids = self.codec.response_ids(f"<tool_call>\n{call}\n</tool_call>")
        self.said.append(ids)
        logprobs = [{token: SimpleNamespace(logprob=-0.25 * place)} for place, token in enumerate(ids)]
        output = SimpleNamespace(token_ids=ids, text="", finish_reason="stop", logprobs=logprobs)
        return SimpleNamespace(outputs=[output])


def _spec(model: Path, place: Path) -> WorkerSpec:
    config = Config()
    config.policy.path, config.policy.tool_call_format = str(model), "hermes"
    config.domain.name, config.sampling.max_turns, config.sampling.group_size = "swe", 6, 2
    config.sampling.max_response_tokens = 200
    problem = calc_problem()
    return WorkerSpec(
        config=config,
        problems={problem.problem_id: problem},
        campaign="c",
        version="v001",
        seed=3,
        policy_id="p",
        codec_path=model,
        rows_path=place / "rows",
        judge_path=place / "judge",
    )


def test_it_takes_three_turns_of_a_repository_episode(folder: Path, model: Path, tmp_path: Path):
    spec = _spec(model, tmp_path)
    (tmp_path / "judge").mkdir()
    write_agent(tmp_path / "job", spec)
    codec = HfChatCodec.from_directory(model, "hermes")
    engines = [Engine(codec, CALLS[name]) for name in ("fixes", "looks")]
    shared = SimpleNamespace(max_tokens=200, logprobs=1, min_tokens=1, seed=None, stop_token_ids=None)
    label = json.dumps({"draw": 0, "problem_id": calc_problem().problem_id})
    with modules_of(folder):
        loaded = importlib.util.spec_from_file_location("agent_module", tmp_path / "job" / AGENT)
        assert loaded and loaded.loader
        agent = importlib.util.module_from_spec(loaded)
        loaded.loader.exec_module(agent)
        executor = agent.AgentExecutor()

        async def play() -> list[dict[str, Any]]:
            attempts = [executor.execute("", label, shared, CONTEXT, None, engine) for engine in engines]
            return await asyncio.gather(*attempts)

        found = asyncio.run(play())
        advantages = _their_advantages(found, spec.config)
    rows, turns = read_group(next((tmp_path / "rows").glob("*.jsonl")))
    assert shared.max_tokens == 200, "sampling parameters are shared by all samples: they must not be touched"
    for engine, answer, row in zip(engines, found, rows, strict=True):
        own = [turn for turn in turns if turn.trajectory_id == row.trajectory_id]
        assert (row.num_turns, len(answer["action_ranges"]), row.stop_reason) == (3, 3, "stop")
        assert [turn.token_ids for turn in own] == engine.said
        ids = answer["observation_tokens"]
        assert [ids[start:end] for start, end in answer["action_ranges"]] == engine.said
        assert [prompt for prompt, _ in engine.asked] == [turn.prompt_ids for turn in own]
        assert len(answer["rollout_log_probs"]) == len(ids)
        assert all(params.max_tokens == 200 and params.min_tokens == 0 for _, params in engine.asked)
        assert all(params.stop_token_ids == list(codec.stop_ids) for _, params in engine.asked)
        assert len({params.seed for _, params in engine.asked}) == 3
    assert [row.correct for row in rows] == [1.0, 0.0]
    assert [answer["reward"] for answer in found] == [row.reward for row in rows]
    assert set(found[0]["extra_logs"]) == set(found[1]["extra_logs"])
    assert advantages == pytest.approx([row.advantage for row in rows], abs=1e-6)


def _their_advantages(found: list[dict[str, Any]], config: Config) -> list[float]:
    """Return what OpenRLHF makes of the answers of its agent loop: experiences, then advantages."""
    samples = importlib.import_module("openrlhf.trainer.ppo_utils.samples_generator")
    maker = importlib.import_module("openrlhf.trainer.ppo_utils.experience_maker")
    generator = samples.SamplesGenerator.__new__(samples.SamplesGenerator)
    experiences = [generator._process_response_into_experience(answer, max_len=CONTEXT) for answer in found]
    for index, experience in enumerate(experiences):
        experience.index, experience.kl = [index], torch.zeros_like(experience.action_mask, dtype=torch.float)
    names = SimpleNamespace
    args = names(
        algo=names(advantage=names(estimator="group_norm", gamma=1.0, no_std_norm=False)),
        rollout=names(n_samples_per_prompt=len(found), max_new_tokens=None),
        reward=names(clip_range=(-1e6, 1e6), overlong_buffer_len=None, stop_properly_penalty_coef=None),
        data=names(max_len=CONTEXT),
    )
    made = maker.RemoteExperienceMaker.__new__(maker.RemoteExperienceMaker)
    made.args, made.strategy, made.kl_ctl = args, names(args=args), names(value=0.0)
    made.advantage_estimator = "group_norm"
    done = made.compute_advantages_and_returns(experiences)
    return [float(each.advantages[0][each.action_mask[0] > 0][-1]) for each in done]


@pytest.mark.parametrize("loss", ["grpo", "bnpo", "dapo", "gspo"])
@pytest.mark.parametrize("dual_clip", [0.0, 3.0])
def test_its_loss_and_gradient_are_ours(folder: Path, loss: str, dual_clip: float):
    torch.manual_seed(0)
    old, mask = -torch.rand(6, 9, dtype=torch.float64) * 3, (torch.rand(6, 9) > 0.3).double()
    mask[4] = 0.0  # a masked attempt
    advantages, shift = torch.randn(6, dtype=torch.float64) * 2, torch.randn(6, 9, dtype=torch.float64) * 0.8
    config = AlgorithmConfig(loss=loss, clip_high=0.28, dual_clip=dual_clip, kl_coefficient=0.0)
    kept = int((mask.sum(-1) > 0).sum())
    normaliser = Normaliser(kept, int(mask.sum()), float(mask.sum()), 9)
    ours = (old + shift).requires_grad_()
    mine = policy_loss(ours, old, None, None, mask, advantages, config, normaliser)
    mine.backward()
    with modules_of(folder):
        theirs = importlib.import_module("openrlhf.models.loss").PolicyLoss(
            clip_eps_low=0.2,
            clip_eps_high=0.28,
            dual_clip=dual_clip or None,
            token_level_loss=loss in ("bnpo", "dapo"),
            policy_loss_type="gspo" if loss == "gspo" else "ppo",
        )
        new = (old + shift).requires_grad_()
        spread = advantages[:, None].expand_as(old)
        value = theirs(new, old, spread, action_mask=mask)[0]
        value.backward()
    assert abs(float((value - mine).detach())) < 1e-7
    assert new.grad is not None and ours.grad is not None
    assert float((new.grad - ours.grad).abs().max()) < 1e-7


def test_files_of_tensorboards_own_writer_are_read(tmp_path: Path):
    pytest.importorskip("tensorboard")
    from torch.utils.tensorboard import SummaryWriter

    from evotrainer.training.openrlhf.evidence import logged_numbers

    with SummaryWriter(log_dir=str(tmp_path / "run")) as writer:
        writer.add_scalar("train/kl", 0.125, 3)
        writer.add_text("train/generated_samples", "text", 3)
        writer.add_scalar("train/timing/step_total", 1e6, 300)
    assert logged_numbers(tmp_path) == {2: {"train/kl": 0.125}, 299: {"train/timing/step_total": 1e6}}
