"""Off-policy correction: the formulas, their place in an update, and what is stored of the mismatch."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from evotrainer.algorithm.losses import MismatchMeter, correction_weights
from evotrainer.config import AlgorithmConfig, Config
from evotrainer.config.factors import FACTORS, effective_recipe, recipe_hash
from evotrainer.domains import factors_in
from evotrainer.training.torch.batch import TokenSequence
from evotrainer.training.torch.optimiser import Optimiser
from evotrainer.training.torch.sync import open_pair
from evotrainer.training.torch.update import settings_of, update_policy
from tests.model_directories import FAMILIES

pytestmark = pytest.mark.parts

BEFORE = torch.tensor([[-1.0, -2.0, -0.5, -9.0], [-1.0, -1.0, -3.0, -1.0]])
SAMPLED = torch.tensor([[-1.1, -3.5, -2.0, 0.0], [-0.9, -1.2, -0.5, -1.0]])
MASK = torch.tensor([[1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 1.0]])


def _by_hand(kind: str, cap: float) -> list[list[float]]:
    """Compute the weights from the definition, with plain floats."""
    rows = []
    for before, sampled, mask in zip(BEFORE.tolist(), SAMPLED.tolist(), MASK.tolist(), strict=True):
        gaps = [(b - s) if m else 0.0 for b, s, m in zip(before, sampled, mask, strict=True)]
        ratios = [math.exp(sum(gaps))] if kind.startswith("seq") else [math.exp(gap) for gap in gaps]
        if kind.endswith("tis"):
            rows.append([min(ratio, cap) for ratio in ratios])
        else:
            rows.append([ratio if 1 / cap <= ratio <= cap else 0.0 for ratio in ratios])
    return rows


@pytest.mark.parametrize("kind", ["token_tis", "token_mask", "seq_tis", "seq_mask"])
@pytest.mark.parametrize("cap", [1.5, 3.0, 100.0])
def test_the_weights_are_their_definition(kind: str, cap: float):
    found = correction_weights(BEFORE, SAMPLED, MASK, AlgorithmConfig(correction=kind, correction_cap=cap))
    assert found is not None
    torch.testing.assert_close(found, torch.tensor(_by_hand(kind, cap)), atol=1e-5, rtol=1e-5)


def test_the_mismatch_is_counted_over_sampled_tokens():
    meter = MismatchMeter()
    for row in range(2):
        meter.add(BEFORE[row : row + 1], SAMPLED[row : row + 1], MASK[row : row + 1])
    gaps = (BEFORE - SAMPLED)[MASK > 0].tolist()
    found = meter.read()
    assert found.mean_abs == pytest.approx(sum(map(abs, gaps)) / 6)
    assert found.kl == pytest.approx(sum(math.exp(gap) - gap - 1 for gap in gaps) / 6)
    assert found.max_ratio == pytest.approx(math.exp(max(gaps)))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("correction") / "qwen3"
    FAMILIES["qwen3"](out)
    return out


def _updated(path: Path, shift: float, num_minibatches: int = 1, **algorithm: object):
    """Update on sequences whose sampler found every token likelier by `shift` nats than the policy does."""
    config = Config()
    config.policy.path, config.engine.device, config.engine.micro_batch_tokens = str(path), "cpu", 16
    config.algorithm = replace(
        config.algorithm, kl_coefficient=0.0, learning_rate=1e-3, num_minibatches=num_minibatches, **algorithm
    )
    policy, reference = open_pair(config, path, 0)
    sequences = []
    for index, length in enumerate([5, 9, 7, 6]):
        ids = torch.randint(3, 250, (length,), generator=torch.Generator().manual_seed(index)).tolist()
        with torch.no_grad():
            logprobs = policy.logits(torch.tensor([ids]))[0, :-1].log_softmax(-1)
        own = [0.0, *logprobs.gather(-1, torch.tensor(ids[1:])[:, None])[:, 0].tolist()]
        mask = [0.0, 0.0] + [1.0] * (length - 2)
        sequences.append(TokenSequence(ids, [value + shift for value in own], mask, 1.0 - index))
    norms: list[float] = []
    optimiser = Optimiser(policy, config.algorithm, config.engine.optimiser)
    signals = update_policy(
        policy,
        reference,
        optimiser,
        sequences,
        settings_of(config, policy),
        0,
        0,
        lambda o: norms.append(float(o.gradient().norm())),
    )
    return signals, norms


def test_a_constant_mismatch_scales_the_gradient(path: Path):
    """Each token was sampled twice as readily as the trainer finds: its weight is one half."""
    shift = math.log(2)
    plain, plain_norms = _updated(path, shift)
    _, capped = _updated(path, -shift, correction="token_tis", correction_cap=1.5)
    _, halved = _updated(path, shift, correction="token_tis")
    _, dropped = _updated(path, shift, correction="token_mask", correction_cap=1.5)
    assert halved[0] == pytest.approx(plain_norms[0] / 2, rel=1e-4)
    assert capped[0] == pytest.approx(plain_norms[0] * 1.5, rel=1e-4)
    assert dropped[0] == 0.0
    assert plain.mismatch.mean_abs == pytest.approx(shift, rel=1e-4)
    assert plain.mismatch.max_ratio == pytest.approx(0.5, rel=1e-4)
    assert plain.mismatch.kl == pytest.approx(0.5 + shift - 1, rel=1e-3)


def test_several_minibatches_measure_ratios_from_the_trainers_own_logprobs(path: Path):
    """Without a correction the sampler's stand in for the old ones, and a mismatch looks like a step that was taken."""
    plain, _ = _updated(path, 1.0, num_minibatches=2)
    corrected, norms = _updated(path, 1.0, num_minibatches=2, correction="token_tis")
    _, calm = _updated(path, 0.0, num_minibatches=2, correction="token_tis")
    assert plain.clip_fraction > 0.2 and corrected.clip_fraction < plain.clip_fraction
    assert norms[0] == pytest.approx(calm[0] * math.exp(-1), rel=1e-3)
    assert corrected.mismatch.mean_abs == pytest.approx(1.0, rel=1e-3)


def test_a_correction_is_a_factor_of_policies_of_a_persons_own():
    own, embedded = Config(), Config()
    own.policy.path = "model"
    assert "correction" in factors_in(own) and "correction" not in factors_in(embedded)
    assert "correction" not in FACTORS
    for config in (own, embedded):
        assert "algorithm.correction_cap" not in effective_recipe(config)
    before = {id(config): recipe_hash(config) for config in (own, embedded)}
    own.algorithm.correction = embedded.algorithm.correction = "token_tis"
    assert recipe_hash(own) != before[id(own)]
    assert recipe_hash(embedded) == before[id(embedded)]
