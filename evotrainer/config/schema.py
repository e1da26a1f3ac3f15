"""The typed configuration of a campaign: what each key means, its unit and its default.

conf/ registers these as the Hydra schema; a version's recipe is this same tree. The default recipe takes its values
from DeepSeekMath's GRPO (arXiv 2402.03300, section 4.2: learning rate 1e-6, KL coefficient 0.04, 64 outputs a
question, batch 1024, one update per exploration) under one scaling rule, stated in docs/recipe.md: the learning rate
grows with the inverse of the width, the outputs a question and the response budget shrink with the policy.

A name's choices and a number's range stand on its field: `choice(default, others...)`, `number(default, low, high)`.
What an intervention may change is decided in factors.py, not here.
"""

from dataclasses import dataclass, field
from typing import Any

from evotrainer.config.limits import choice, number, own_choice

SHARED_PLUGINS = ("score", "signal", "behaviour", "integrity")
"""Folders of harness_plugins/ whose diagnostics serve every domain."""


@dataclass
class DomainConfig:
    """Where problems come from and how the policy meets them."""

    name: str = "math"
    """A domain of evotrainer/domains/, or `package.module:OBJECT` of a person's own."""
    data_path: str = "data/math"
    """Directory with train.jsonl, probe.jsonl, validation.jsonl, test.jsonl; or one JSONL file of a person's own."""
    system_prompt: str = ""
    """System message of each trajectory; empty for none."""
    access: str = ""
    """What an episode may read or call, by the name of an access policy of the domain; empty: the strictest."""
    max_observation_chars: int = 2000
    """swe: the longest answer of a tool; what is left out is counted at its end."""
    terms: list[str] = field(default_factory=list)
    """Further reward terms, each `package.module:function` (domains/reward_terms.py); reward.terms weighs them."""
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
    """Base of the rotary embeddings: a lower one separates near positions better and reaches less far."""
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
    device: str = choice("auto", "cpu", "cuda")
    """auto: cuda where there is one, else cpu."""
    num_threads: int = number(1, 1, 1024)
    """Threads of one stage process; candidates train side by side, one a core."""
    batch_trajectories: int = number(512, 1, 1_000_000)
    """Trajectories generated at once."""
    micro_batch_trajectories: int = number(32, 1, 1_000_000)
    """Trajectories in one forward and backward pass."""


@dataclass
class AlgorithmConfig:
    """Policy-gradient estimator and optimiser."""

    loss: str = choice("grpo", "bnpo", "dr_grpo", "dapo", "gspo")
    """How token losses are weighted and ratios formed (algorithm/losses.py)."""
    advantage: str = choice("group_std", "group_mean", "batch_std")
    """Normalisation of rewards within their group (algorithm/advantages.py)."""
    learning_rate: float = number(6.4e-5, 1e-9, 1)
    clip_low: float = number(0.2, 0.001, 0.999)
    clip_high: float = number(0.2, 0.001, 10)
    dual_clip: float = number(0.0, 0, 100)
    """Upper bound on the ratio for negative advantages; 0 turns it off."""
    kl_coefficient: float = number(0.04, 0, 10)
    kl_estimator: str = choice("k3", "k1", "k2")
    """Schulman's estimator of the KL term."""
    entropy_coefficient: float = number(0.0, 0, 1)
    num_minibatches: int = number(1, 1, 64)
    """Optimiser steps taken on each batch of rollouts."""
    max_grad_norm: float = number(1.0, 1e-6, 1e6)
    weight_decay: float = number(0.0, 0, 1)
    warmup_steps: int = number(0, 0, 1_000_000)
    adam_beta2: float = number(0.999, 0.5, 0.99999)


@dataclass
class RewardConfig:
    """Weights of the reward terms; a term with weight 0 is recorded but does not count."""

    correct: float = number(1.0, 0, 10)
    format: float = number(0.0, 0, 10)
    """Paid when the answer stands in the required format."""
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


@dataclass
class FilterConfig:
    """Which trajectories and groups reach the loss."""

    group: str = choice("none", "group_variance", "std", "ragen_v1", "ragen_v2")
    """The rule (algorithm/filters.py)."""
    keep_ratio: float = number(0.9, 0.01, 0.999)
    min_keep: float = number(0.5, 0, 1)
    ema_decay: float = number(0.1, 0.001, 1)
    absolute_std: float = number(0.01, 0, 10)
    """Limit of the std filter in absolute mode."""
    std_mode: str = choice("ema", "absolute")
    """Whether the limit of the std filter follows a moving average or is fixed."""
    mask_truncated: bool = False
    """Drop truncated trajectories from the loss (two-level filter)."""
    refill: bool = False
    """Sample further problems until the batch is full of usable groups; charged to the token budget."""


@dataclass
class SamplingConfig:
    """Training rollouts."""

    temperature: float = number(1.0, 0.05, 5)
    top_p: float = number(1.0, 0.01, 1)
    group_size: int = number(8, 2, 1024)
    """Attempts at each problem, G."""
    problems_per_step: int = number(16, 1, 65536)
    max_response_tokens: int = number(48, 1, 1_000_000)
    max_turns: int = number(1, 1, 1000)


@dataclass
class DataConfig:
    """Which problems of the fixed train pool come when."""

    curriculum: str = choice("none", "easy_first", "hard_first", "band")
    """Order of the pool; band keeps pass rates between band_low and band_high on cached rollouts."""
    band_low: float = number(0.1, 0, 1)
    band_high: float = number(0.9, 0, 1)
    mixture: str = choice("uniform", "by_failure", "by_signal")
    """Weights of the families: equal, by failure rate 1-p, or by signal p(1-p)."""


@dataclass
class TrainerConfig:
    """The trainer agent: who proposes."""

    name: str = own_choice("rules", "random", "shuffled")
    """Registry key of the agent; random and shuffled are controls."""
    pool_size: int = number(12, 1, 64)
    """Candidates ranked by backtest in each propose stage."""


@dataclass
class SearchConfig:
    """How candidates, incumbents and merges follow each other."""

    name: str = own_choice("evotrainer", "hillclimb")
    """Registry key of the strategy; hillclimb is the baseline."""
    candidates_per_generation: int = number(2, 1, 64)
    share_rollout: str = choice("auto", "always", "never")
    """Whether the later slots of a generation take the first slot's rollout; auto: unless the policy is embedded."""
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
    actions: dict[str, Any] = field(default_factory=dict)
    """Own rows in front of evotrainer/actions/table.yaml, in its form: {tools: {my_grep: search}}."""
    evolve: bool = False
    """Whether the harness revises itself between generations; the folder evolved/ is then loaded too."""
    escalate_after: int = number(0, 0, 100)
    """Failed versions in a row after which the next generation changes its ways (search/escalation.py); 0: never."""
    max_new_diagnostics: int = number(2, 0, 100)
    """Evolved diagnostics that one revision may add."""
    plugin_seconds: float = number(10.0, 0.1, 3600)
    """Processor time that an evolved diagnostic may take on one set of evidence."""
    plugin_megabytes: int = number(1024, 256, 1_000_000)
    """Memory that it may take."""
    diagnostic_seconds: float = number(300.0, 1, 36_000)
    """Processor time that any other diagnostic may take on one set of evidence; four times that by the clock."""
    diagnostic_megabytes: int = number(8192, 256, 1_000_000)
    """Memory that it may take beside what the harness holds."""


@dataclass
class MemoryConfig:
    """What earlier campaigns taught."""

    name: str = choice("branch", "none")
    """branch: the campaign reads branch `memory` at its start and appends to it once, at its end."""


@dataclass
class BudgetConfig:
    """Compute, the same for all versions. Protected: no intervention touches it."""

    train_tokens: int = number(200_000, 1)
    """Sampled tokens of one training run; it ends with the step that reaches them."""
    max_steps: int = number(200, 1)
    rollout_problems: int = number(64, 1, 1_000_000)
    """Train problems sampled by the rollout stage, one group each."""
    probe_problems: int = number(32, 0, 1_000_000)
    probe_rollouts: int = number(128, 0, 1_000_000)
    """Trajectories that a backtest of a sampling factor may sample."""
    max_train_seconds: float = number(3600.0, 1)
    """Wall clock that aborts a run (failed: train_budget_overrun); it never shapes one."""


@dataclass
class EvaluateConfig:
    """The evaluator, the same for all versions. Protected."""

    attempts: int = number(8, 1, 1024)
    """k of Avg@k."""
    max_problems: int = number(240, 2, 1_000_000)
    max_response_tokens: int = number(48, 1, 1_000_000)
    max_turns: int = number(1, 1, 1000)
    temperature: float = number(1.0, 0, 5)
    bootstrap_samples: int = number(10_000, 100, 10_000_000)
    confidence: float = number(0.95, 0.5, 0.9999)
    max_error_share: float = number(0.05, 0, 1)
    """Share of draws lost to infrastructure errors above which a version is inconclusive, never worse."""
    max_redraws: int = number(2, 0, 100)
    """How often an attempt that infrastructure lost is drawn again."""
    regraded_rows: int = number(32, 0, 1_000_000)
    """Sampled rows that each evaluation grades a second time."""
    gate: str = choice("sequential", "paired", "greedy")
    """The promotion rule. sequential: fresh rounds under the campaign's error budget; paired: the paired interval of
    one evaluation lies above 0; greedy: any higher score (the baselines' rule)."""
    error_budget: float = number(0.05, 1e-6, 0.05)
    """Chance of any false promotion in the campaign, in equal shares of num_versions (sequential gate)."""
    max_gate_attempts: int = number(64, 4, 4096)
    """Fresh attempts a problem on each arm after which the sequential gate stops undecided."""
    recipe_seeds: int = number(0, 0, 512)
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
    seed: int = number(0, 0, 2**62)
    num_versions: int = number(6, 1, 999)
    """Trained versions of the campaign, the baseline v001 among them."""
    init: str = choice("base", "parent")
    """base: each version trains from v0; parent: from its parent's policy."""
