"""The typed configuration of a campaign: what each key means, its unit and its default.

conf/ registers these as the Hydra schema; a version's recipe is this same tree. The default recipe takes its values
from DeepSeekMath's GRPO (arXiv 2402.03300, section 4.2: learning rate 1e-6, KL coefficient 0.04, 64 outputs a
question, batch 1024, one update per exploration) under one scaling rule, stated in docs/recipe.md: the learning rate
grows with the inverse of the width, the outputs a question and the response budget shrink with the policy.

What an intervention may touch is decided in factors.py, not here.
"""

from dataclasses import dataclass, field
from typing import Any

SHARED_PLUGINS = ("score", "signal", "behaviour", "integrity")
"""Folders of harness_plugins/ whose diagnostics serve every domain."""


@dataclass
class DomainConfig:
    """Where problems come from and how the policy meets them."""

    name: str = "math"
    """Registry key of the environment: math, code, swe."""
    data_path: str = "data/math"
    """Directory with train.jsonl, probe.jsonl, validation.jsonl, test.jsonl; or one JSONL file of a person's own."""
    system_prompt: str = ""
    """System message of each trajectory; empty for none."""
    sanitize_history: bool = True
    """swe: remove from a repository's history whatever came after the problem. False reproduces a known leak."""
    max_observation_chars: int = 2000
    """swe: the longest answer of a tool; what is left out is counted at its end."""
    judge_url: str = ""
    """Base URL of an OpenAI-style chat endpoint whose model scores answers by a rubric; empty: no judge."""
    judge_model: str = "judge"


@dataclass
class PolicyConfig:
    """The base policy. `path` empty: the embedded one, built by the root pipeline from conf/embedded/<name>.yaml."""

    name: str = "tiny_math"
    path: str = ""
    """A local Hugging Face causal LM directory, used instead of the embedded policy."""


@dataclass
class EmbeddedPolicyConfig:
    """Shape and warm start of an embedded base policy: conf/embedded/<name>.yaml. No campaign changes it."""

    domain: str = "math"
    """Whose demonstrations it is trained on, and whose pieces are its vocabulary beside single characters."""
    hidden_size: int = 64
    num_layers: int = 2
    num_heads: int = 4
    tie_embeddings: bool = False
    """Read tokens in with the vectors that write them out: what is copied from a context is learned sooner."""
    rope_theta: float = 10_000.0
    """Base of the rotary embeddings: the lower, the finer near positions are told apart, and the shorter the reach."""
    warm_start_steps: int = 1600
    warm_start_batch: int = 32
    warm_start_pool: int = 1
    """Batches drawn at once and shared out by length: episodes of very different lengths are not padded together."""
    warm_start_context: float = 0.0
    """Weight of a token that is not the policy's own, against 1 of one that is: what tools show can be learned from."""
    warm_start_learning_rate: float = 4e-3
    warm_start_seed: int = 0


@dataclass
class EngineConfig:
    """What runs and what trains the policy."""

    rollout: str = "torch"
    train: str = "torch"
    device: str = "auto"
    """auto, cpu or cuda."""
    num_threads: int = 1
    """Threads of one stage process; candidates train side by side, one a core."""
    batch_trajectories: int = 512
    """Trajectories generated at once."""
    micro_batch_trajectories: int = 32
    """Trajectories in one forward and backward pass."""


@dataclass
class AlgorithmConfig:
    """Policy-gradient estimator and optimiser."""

    loss: str = "grpo"
    """grpo, bnpo, dr_grpo, dapo, gspo: how token losses are weighted and ratios formed."""
    advantage: str = "group_std"
    """group_std, group_mean, batch_std: normalisation of rewards within their group."""
    learning_rate: float = 6.4e-5
    clip_low: float = 0.2
    clip_high: float = 0.2
    dual_clip: float = 0.0
    """Upper bound on the ratio for negative advantages; 0 turns it off."""
    kl_coefficient: float = 0.04
    kl_estimator: str = "k3"
    """k1, k2 or k3."""
    entropy_coefficient: float = 0.0
    num_minibatches: int = 1
    """Optimiser steps taken on each batch of rollouts."""
    max_grad_norm: float = 1.0
    weight_decay: float = 0.0
    warmup_steps: int = 0
    adam_beta2: float = 0.999


@dataclass
class RewardConfig:
    """Weights of the reward terms; a term with weight 0 is recorded but does not count."""

    correct: float = 1.0
    format: float = 0.0
    """Paid when the answer stands in the required format."""
    length_penalty: float = 0.0
    """Subtracted in proportion to the share of the response budget used."""
    overlong_penalty: float = 0.0
    """Subtracted when the response was cut."""
    partial: float = 0.0
    """Paid for what is partly right: the share of answer digits, or of hidden tests."""
    search_before_edit: float = 0.0
    """swe: paid when the policy searched before its first edit."""
    edit_then_test: float = 0.0
    """swe: paid when it ran a test after its last edit."""
    judge: float = 0.0
    """Paid for the judge's score, in [0, 1]; needs domain.judge_url."""


@dataclass
class FilterConfig:
    """Which trajectories and groups reach the loss."""

    group: str = "none"
    """none, group_variance, std (StdGroupFilter), ragen_v1, ragen_v2."""
    keep_ratio: float = 0.9
    min_keep: float = 0.5
    ema_decay: float = 0.1
    absolute_std: float = 0.01
    """Limit of the std filter in absolute mode."""
    std_mode: str = "ema"
    """ema or absolute."""
    mask_truncated: bool = False
    """Drop truncated trajectories from the loss (two-level filter)."""
    refill: bool = False
    """Sample further problems until the batch is full of usable groups; charged to the token budget."""


@dataclass
class SamplingConfig:
    """Training rollouts."""

    temperature: float = 1.0
    top_p: float = 1.0
    group_size: int = 8
    """Attempts at each problem, G."""
    problems_per_step: int = 16
    max_response_tokens: int = 48
    max_turns: int = 1


@dataclass
class DataConfig:
    """Which problems of the fixed train pool come when."""

    curriculum: str = "none"
    """none, easy_first, hard_first, band (pass rate between band_low and band_high on cached rollouts)."""
    band_low: float = 0.1
    band_high: float = 0.9
    mixture: str = "uniform"
    """uniform, by_failure (families weighted by their failure rate), by_signal (by p(1-p))."""


@dataclass
class TrainerConfig:
    """The trainer agent: who proposes."""

    name: str = "rules"
    """rules, random, shuffled (the rules on findings dealt out anew: a control)."""
    pool_size: int = 12
    """Candidates ranked by backtest in each propose stage."""


@dataclass
class SearchConfig:
    """How candidates, incumbents and merges follow each other."""

    name: str = "evotrainer"
    """evotrainer, hillclimb."""
    candidates_per_generation: int = 2
    merge: bool = True
    use_findings: bool = True
    """False: the trainer agent sees scores only."""
    use_backtests: bool = True
    """False: backtests are recorded but neither rank nor refuse a candidate (the score-only baseline)."""


@dataclass
class HarnessConfig:
    """The diagnostics in force."""

    name: str = "static"
    plugins: list[str] = field(default_factory=lambda: [*SHARED_PLUGINS, "math"])
    """Folders of harness_plugins/ that are loaded."""
    thresholds: dict[str, float] = field(default_factory=dict)
    """Overrides of alert limits, by name."""
    turn_kinds: dict[str, Any] = field(default_factory=dict)
    """Own rows in front of evotrainer/actions/table.yaml, in its form: {tools: {my_grep: search}}."""
    evolve: bool = False
    """Whether the harness revises itself between generations; the folder evolved/ is then loaded too."""
    escalate_after: int = 0
    """Failed versions in a row after which the next generation changes its ways (search/escalation.py); 0: never."""
    max_new_diagnostics: int = 2
    """Evolved diagnostics that one revision may add."""
    plugin_seconds: float = 10.0
    """Processor time that an evolved diagnostic may take on one body of evidence."""
    plugin_megabytes: int = 1024
    """Memory that it may take."""
    diagnostic_seconds: float = 300.0
    """Processor time that any other diagnostic may take on one body of evidence; four times that by the clock."""
    diagnostic_megabytes: int = 8192
    """Memory that it may take beside what the harness holds."""


@dataclass
class MemoryConfig:
    """What earlier campaigns taught."""

    name: str = "branch"
    """branch: read from branch `memory` at the start, appended once at the end; none: neither."""


@dataclass
class BudgetConfig:
    """Compute, the same for all versions. Protected: no intervention touches it."""

    train_tokens: int = 200_000
    """Sampled tokens of one training run; it ends with the step that reaches them."""
    max_steps: int = 200
    rollout_problems: int = 64
    """Train problems sampled by the rollout stage, one group each."""
    probe_problems: int = 32
    probe_rollouts: int = 128
    """Trajectories that a backtest of a sampling factor may sample."""
    max_train_seconds: float = 3600.0
    """Wall clock that aborts a run (failed: train_budget_overrun); it never shapes one."""


@dataclass
class EvaluateConfig:
    """The evaluator, the same for all versions. Protected."""

    attempts: int = 8
    """k of Avg@k."""
    max_problems: int = 240
    max_response_tokens: int = 48
    max_turns: int = 1
    temperature: float = 1.0
    bootstrap_samples: int = 10_000
    confidence: float = 0.95
    max_error_share: float = 0.05
    """Share of draws lost to infrastructure errors above which a version is inconclusive, never worse."""
    max_redraws: int = 2
    """How often an attempt that infrastructure lost is drawn again."""
    regraded_rows: int = 32
    """Sampled rows that each evaluation grades a second time."""
    gate: str = "sequential"
    """sequential: fresh rounds under the campaign's error budget; paired: the paired interval of one evaluation lies
    above 0; greedy: any higher score (the baselines' rule)."""
    error_budget: float = 0.05
    """Chance of any false promotion in the campaign, in equal shares of num_versions (sequential gate)."""
    max_gate_attempts: int = 64
    """Fresh attempts a problem on each arm after which the sequential gate stops undecided."""
    recipe_seeds: int = 0
    """Fresh training seeds of each promoted version's recipe; the recipe that it is compared with gets a third more.
    0: none, and the recipe stays unproven."""


@dataclass
class Config:
    """A campaign's configuration, and a version's recipe."""

    domain: DomainConfig = field(default_factory=DomainConfig)
    policy: PolicyConfig = field(default_factory=PolicyConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)
    algorithm: AlgorithmConfig = field(default_factory=AlgorithmConfig)
    reward: RewardConfig = field(default_factory=RewardConfig)
    filter: FilterConfig = field(default_factory=FilterConfig)
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    data: DataConfig = field(default_factory=DataConfig)
    trainer: TrainerConfig = field(default_factory=TrainerConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    harness: HarnessConfig = field(default_factory=HarnessConfig)
    memory: MemoryConfig = field(default_factory=MemoryConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    evaluate: EvaluateConfig = field(default_factory=EvaluateConfig)
    seed: int = 0
    num_versions: int = 6
    """Trained versions of the campaign, the baseline v001 among them."""
    init: str = "base"
    """base: each version trains from v0; parent: from its parent's policy."""
