"""Our losses and advantages are TRL 1.16's: its GRPOTrainer computes both on fixed completions, on the CPU.

One trainer serves all cases, since importing TRL and building it takes most of the time; each case sets the attributes
that TRL reads when it computes a loss.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.algorithm.advantages import advantages
from evotrainer.algorithm.losses import Normaliser, policy_loss, token_entropies, token_logprobs
from evotrainer.config import AlgorithmConfig
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.training.torch.batch import TokenBatch

if TYPE_CHECKING:
    from trl import GRPOTrainer

NUM_ROWS, NUM_GENERATIONS, PROMPT, COMPLETION = 8, 4, 5, 9
MAX_TOKENS = 11  # response budget, longer than any completion here


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trl") / "policy"
    create_policy(out, EmbeddedPolicyConfig(hidden_size=32, num_heads=4, num_layers=2), "abcdefgh0123456789", 2)
    return out


@pytest.fixture(scope="module")
def trainer(path: Path, tmp_path_factory: pytest.TempPathFactory) -> "GRPOTrainer":
    """A TRL trainer on the same policy; its rewards are the ones that the dataset rows carry."""
    from datasets import Dataset  # all three take seconds to import, which every worker of the suite would pay
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    args = GRPOConfig(
        output_dir=str(tmp_path_factory.mktemp("trainer")),
        use_cpu=True,
        bf16=False,
        report_to=[],
        beta=0.04,
        per_device_train_batch_size=NUM_ROWS,
        num_generations=NUM_GENERATIONS,
        max_completion_length=MAX_TOKENS,
        steps_per_generation=1,
        entropy_coef=0.01,
        epsilon=0.2,
        epsilon_high=0.27,
        use_bias_correction_kl=False,
    )

    def stored_reward(completions: list, reward: list[float | None], **_: object) -> list[float | None]:
        return reward

    return GRPOTrainer(
        model=AutoModelForCausalLM.from_pretrained(path),
        reward_funcs=stored_reward,
        args=args,
        train_dataset=Dataset.from_list([{"prompt": "ab"}] * NUM_ROWS),
        processing_class=AutoTokenizer.from_pretrained(path),
    )


@pytest.fixture(scope="module")
def case(path: Path) -> SimpleNamespace:
    """Fixed completions of several lengths, with old and reference logprobs well away from the policy's."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(7, 25, (NUM_ROWS, PROMPT + COMPLETION), generator=generator)
    lengths = torch.tensor([9, 1, 4, 7, 9, 2, 6, 3])
    mask = (torch.arange(COMPLETION) < lengths[:, None]).float()
    policy = EmbeddedPolicy.load(path)
    with torch.no_grad():
        new = token_logprobs(policy.logits(ids[:, :-1]), ids[:, 1:])[:, PROMPT - 1 :]
    noise = torch.randn(2, NUM_ROWS, COMPLETION, generator=generator) * 0.3
    values = torch.randn(NUM_ROWS, generator=generator)
    return SimpleNamespace(
        policy=policy, ids=ids, mask=mask, old=new + noise[0], reference=new + noise[1], advantages=values
    )


def _theirs(trainer: "GRPOTrainer", case: SimpleNamespace, algorithm: AlgorithmConfig) -> tuple[float, torch.Tensor]:
    """Return TRL's loss and the gradient of the output layer."""
    trainer.loss_type = "grpo" if algorithm.loss == "gspo" else algorithm.loss
    trainer.importance_sampling_level = "sequence" if algorithm.loss == "gspo" else "token"
    trainer.epsilon_low, trainer.epsilon_high = algorithm.clip_low, algorithm.clip_high
    trainer.args.delta = algorithm.dual_clip or None
    trainer.beta, trainer.entropy_coef = algorithm.kl_coefficient, algorithm.entropy_coefficient
    trainer._entropy_bonus_enabled = algorithm.entropy_coefficient != 0
    trainer.current_gradient_accumulation_steps = 1
    trainer.model.train()
    trainer.model.zero_grad()
    loss = trainer._compute_loss(
        trainer.model,
        {
            "prompt_ids": case.ids[:, :PROMPT],
            "prompt_mask": torch.ones(NUM_ROWS, PROMPT, dtype=torch.long),
            "completion_ids": case.ids[:, PROMPT:],
            "completion_mask": case.mask.long(),
            "advantages": case.advantages,
            "old_per_token_logps": case.old,
            "ref_per_token_logps": case.reference,
            "num_items_in_batch": case.mask.sum(),
        },
    )
    loss.backward()
    return loss.item(), trainer.model.lm_head.weight.grad.clone()


def _ours(case: SimpleNamespace, algorithm: AlgorithmConfig, parts: int) -> tuple[float, torch.Tensor]:
    """Return our loss and the same gradient, accumulated over `parts` micro-batches."""
    num_tokens = int(case.mask.sum())
    normaliser = Normaliser(NUM_ROWS, num_tokens, float(num_tokens), MAX_TOKENS)
    case.policy.model.zero_grad()
    total = 0.0
    for rows in torch.arange(NUM_ROWS).chunk(parts):
        batch = TokenBatch(case.ids[rows], case.old[rows], case.mask[rows], case.advantages[rows])
        logits = case.policy.logits(batch.ids[:, :-1])[:, PROMPT - 1 :]
        new = token_logprobs(logits, batch.ids[:, PROMPT:])
        loss = policy_loss(
            new,
            batch.old,
            case.reference[rows],
            token_entropies(logits),
            batch.mask,
            batch.advantages,
            algorithm,
            normaliser,
        )
        loss.backward()
        total += loss.item()
    return total, case.policy.model.lm_head.weight.grad.clone()


@pytest.mark.parametrize("loss", ["grpo", "bnpo", "dr_grpo", "dapo", "gspo"])
@pytest.mark.parametrize(
    "options",
    [
        {"kl_coefficient": 0.0},
        {"kl_coefficient": 0.04, "clip_high": 0.27},
        {"kl_coefficient": 0.0, "dual_clip": 1.3},
        {"kl_coefficient": 0.04, "entropy_coefficient": 0.01, "clip_low": 0.05, "clip_high": 0.05},
    ],
    ids=["clip", "kl", "dual_clip", "entropy"],
)
def test_losses_and_gradients_are_those_of_trl(trainer, case, loss: str, options: dict[str, float]):
    algorithm = AlgorithmConfig(loss=loss, **options)
    expected, gradient = _theirs(trainer, case, algorithm)
    for parts in (1, 3):
        value, own_gradient = _ours(case, algorithm, parts)
        assert value == pytest.approx(expected, abs=1e-6)
        torch.testing.assert_close(own_gradient, gradient, atol=1e-6, rtol=0)


@pytest.mark.parametrize(("ours", "theirs"), [("group_std", "group"), ("group_mean", "none"), ("batch_std", "batch")])
def test_advantages_are_those_of_trl(trainer, ours: str, theirs: str):
    rewards = [1.0, 0.0, 0.25, None, 1.1, 1.1, 1.1, 1.1]
    trainer.scale_rewards = theirs
    trainer.model.train()
    rows = [{"prompt": "ab", "reward": reward} for reward in rewards]
    found = trainer._generate_and_score_completions(rows)["advantages"]
    matrix = np.array([np.nan if reward is None else reward for reward in rewards]).reshape(2, NUM_GENERATIONS)
    np.testing.assert_allclose(advantages(matrix, ours).reshape(-1), found.numpy(), atol=1e-6)
