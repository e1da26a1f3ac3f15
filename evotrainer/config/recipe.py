"""The keys of a recipe: estimator, reward, filter, sampling, data. Interventions change these, one factor at a time.

The default recipe takes its values from DeepSeekMath's GRPO (arXiv 2402.03300, section 4.2: learning rate 1e-6, KL
coefficient 0.04, 64 outputs a question, batch 1024, one update per exploration) under one scaling rule, stated in
docs/recipe.md: the learning rate grows with the inverse of the width, the outputs a question and the response budget
shrink with the policy.
"""

from dataclasses import dataclass, field

from evotrainer.config.limits import choice, code, number


@dataclass
class AlgorithmConfig:
    """Policy-gradient estimator and optimiser."""

    loss: str = choice("grpo", "bnpo", "dr_grpo", "dapo", "gspo")
    """How token losses are weighted and ratios formed (algorithm/losses.py)."""
    advantage: str = choice("group_std", "group_mean", "batch_std")
    """Normalisation of rewards within their group (algorithm/advantages.py)."""
    learning_rate: float = number(6.4e-5, 1e-9, 1)
    """Step size of AdamW."""
    clip_low: float = number(0.2, 0.001, 0.999)
    """How far below 1 the ratio of new to old probability may fall before its gradient stops."""
    clip_high: float = number(0.2, 0.001, 10)
    """How far above 1 it may rise."""
    dual_clip: float = number(0.0, 0, 100)
    """Upper bound on the ratio for negative advantages; 0 turns it off."""
    kl_coefficient: float = number(0.04, 0, 10)
    """Weight of the KL term towards the base policy; 0: none."""
    kl_estimator: str = choice("k3", "k1", "k2")
    """Schulman's estimator of the KL term."""
    entropy_coefficient: float = number(0.0, 0, 1)
    """Weight of the bonus on the tokens' entropy; 0: none."""
    num_minibatches: int = number(1, 1, 64)
    """Optimiser steps taken on each batch of rollouts."""
    max_grad_norm: float = number(1.0, 1e-6, 1e6)
    """The gradient is scaled down to this norm."""
    weight_decay: float = number(0.0, 0, 1)
    """AdamW's decoupled weight decay."""
    warmup_steps: int = number(0, 0, 1_000_000)
    """Steps over which the learning rate rises from 0."""
    adam_beta2: float = number(0.999, 0.5, 0.99999)
    """AdamW's decay of the squared gradient."""
    correction: str = choice("none", "token_tis", "token_mask", "seq_tis", "seq_mask")
    """Weight for what sampler and trainer disagree in, a token or a sequence, capped or masked (losses.py)."""
    correction_cap: float = number(2.0, 1, 1000)
    """Highest weight; the masks drop what lies outside of 1/cap to cap."""


@dataclass
class RewardConfig:
    """Weights of the reward terms; a term with weight 0 is recorded but does not count."""

    correct: float = number(1.0, 0, 10)
    """Paid for a right answer."""
    format: float = number(0.0, 0, 10)
    """Paid for an answer in the required format."""
    length_penalty: float = number(0.0, 0, 10)
    """Subtracted in proportion to the share of the response budget used."""
    overlong_penalty: float = number(0.0, 0, 10)
    """Subtracted when the response was cut."""
    partial: float = number(0.0, 0, 10)
    """Paid for what is partly right: the share of answer digits, or of hidden tests."""
    search_before_edit: float = number(0.0, 0, 10)
    """swe: paid when the policy searched before its first edit."""
    edit_then_test: float = number(0.0, 0, 10)
    """swe: paid when it ran a test after its last edit."""
    terms: dict[str, float] = field(default_factory=dict)
    """Weights of further terms, by name: those of domain.terms, and what a domain of a person's own grades."""
    judge: float = number(0.0, 0, 10)
    """Paid for the judge's score, in [0, 1]; needs domain.judge_url."""
    correction: str = code("correction")
    """A file with `correction(row)`, fitted on audited rows: what is added to the reward (docs/levers.md)."""
    code: str = code("reward")
    """A file with `reward(row)`, which adds up to 1 to a reward or takes as much (docs/interventions.md)."""


@dataclass
class FilterConfig:
    """Which trajectories and groups reach the loss."""

    group: str = choice("none", "group_variance", "std", "ragen_v1", "ragen_v2")
    """The rule (algorithm/filters.py)."""
    keep_ratio: float = number(0.9, 0.01, 0.999)
    """Share of groups that the std filter keeps, if their spread is normally distributed."""
    min_keep: float = number(0.5, 0, 1)
    """The filter never keeps less than this share of the groups."""
    ema_decay: float = number(0.1, 0.001, 1)
    """Weight of the newest groups in the moving average of the std filter."""
    mask_truncated: bool = False
    """Drop truncated trajectories from the loss (two-level filter)."""
    mask_abandon: bool = False
    """Drop episodes that ended without an edit (algorithm/credit.py)."""
    mask_idle: bool = False
    """Drop episodes whose turns mostly call no tool."""
    mask_echo: bool = False
    """Drop episodes that repeat their own calls."""
    mask_code: str = code("mask")
    """A file with `mask(row)`: true leaves an attempt out of the loss."""
    group_code: str = code("keep")
    """A file with `keep(rows)`: false leaves a group out of the loss, beside what the rule drops."""
    refill: bool = False
    """Sample further problems until the batch is full of usable groups; charged to the token budget."""


@dataclass
class SamplingConfig:
    """Training rollouts."""

    temperature: float = number(1.0, 0.05, 5)
    """Of training rollouts."""
    top_p: float = number(1.0, 0.01, 1)
    """Nucleus of training rollouts; 1: all tokens."""
    group_size: int = number(8, 2, 1024)
    """Attempts at each problem, G."""
    problems_per_step: int = number(16, 1, 65536)
    """Groups sampled for one optimiser step."""
    max_response_tokens: int = number(48, 1, 1_000_000)
    """Tokens that the policy may write in one trajectory of training."""
    max_turns: int = number(1, 1, 1000)
    """Turns of one trajectory of training."""


@dataclass
class DataConfig:
    """Which problems of the fixed train pool come when."""

    curriculum: str = choice("none", "easy_first", "hard_first", "band")
    """Order of the pool; band keeps pass rates between band_low and band_high on cached rollouts."""
    band_low: float = number(0.1, 0, 1)
    """Lowest pass rate that curriculum=band keeps."""
    band_high: float = number(0.9, 0, 1)
    """Highest pass rate that it keeps."""
    mixture: str = choice("uniform", "by_failure", "by_signal")
    """Weights of the families: equal, by failure rate 1-p, or by signal p(1-p)."""
    weight_code: str = code("weight")
    """A file with `weight(problem)`: how often a problem is drawn, relative to others, beside the mixture."""
