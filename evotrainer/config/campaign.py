"""Keys of a campaign: who proposes, what is tried next, which diagnostics judge, at what cost, by which evaluator.

Those of the total budget and of autonomy change no byte of a version that runs to its verdict. They decide which
versions there are.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from evotrainer.config.limits import choice, number, own_choice
from evotrainer.errors import ConfigError

SHARED_PLUGINS = ("score", "signal", "behaviour", "integrity")
"""Folders of harness_plugins/ whose diagnostics serve every domain."""
EVOLVED = "evolved"
"""The folder of diagnostics that no person has reviewed: each needs a card and runs isolated."""

SPECIALISTS = ("sampling", "algorithm", "reward", "budget", "curriculum", "filter", "harness")
"""Specialists of a recipe (search/specialists.py), in the order of the largest gain that one of each surface's settings
showed in a stored sweep (docs/search.md)."""

GATES = ("diagnosis", "proposal", "backtest", "completion")
"""Where a version may wait for a person, in the order of its stages."""


@dataclass
class TrainerConfig:
    """The trainer agent: who proposes."""

    name: str = own_choice("rules", "random", "shuffled", "written", "claude")
    """Registry key of the agent; random and shuffled are controls; written: what a person wrote."""
    pool_size: int = number(12, 1, 64)
    """Candidates ranked by backtest in each propose stage."""
    interventions: list[str] = field(default_factory=list)
    """Names of files of conf/intervention/ that trainer=written proposes, without .yaml."""
    model: str = "claude-opus-5-5"
    """claude: the model that is asked. Its price is in `prices`."""
    effort: str = choice("high", "low", "medium", "xhigh", "max", "none")
    """claude: how much the model may think; none: not sent, for endpoints that do not know it."""
    base_url: str = ""
    """claude: another endpoint that speaks the Messages API; empty: Anthropic's."""
    chat_url: str = ""
    """claude: an endpoint that speaks OpenAI's chat completions with tools, like http://localhost:8000/v1."""
    prices: dict[str, list[float]] = field(default_factory=dict)
    """Dollars a million tokens by model: [input, output, cache write, cache read]."""
    max_answer_tokens: int = number(8192, 256, 128_000)
    """Longest answer to one question, thinking included."""
    max_prompt_tokens: int = number(90_000, 4000, 2_000_000)
    """Prompt size from which a conversation is asked to come to its end."""
    max_questions: int = number(40, 2, 1000)
    """Questions to the model in one stage."""
    max_retries: int = number(4, 0, 20)
    """Further attempts at a question after 429, 5xx, or a connection that broke."""
    request_seconds: float = number(600.0, 1, 3600)
    """Longest wait for one answer."""

    @property
    def asks_model(self) -> bool:
        """Whether a model answers: slots of a generation then share one pool, since asking twice gives two answers."""
        return self.name == "claude"


@dataclass
class GearConfig:
    """The numbers of GEAR's controller (arXiv 2605.13874); gear_evolve edits them by replay on past choices."""

    elites: int = number(4, 1, 64)
    """Versions of the frontier."""
    exploration: float = number(0.05, 0, 10)
    """Weight of the bonus for elites that were seldom expanded."""
    recency_now: float = number(0.2, 0, 10)
    """Penalty of a parent of the last experiment."""
    recency_soon: float = number(0.05, 0, 10)
    """Penalty of a parent of the last three."""
    novelty: float = number(0.15, 0, 10)
    """Weight of the distance of a description to those of the last parents."""
    coverage: float = number(0.10, 0, 10)
    """Weight of the bonus for roles and topics that were seldom tried."""
    gain_unit: float = number(0.1, 0, 10)
    """What a gain of one noise floor is worth beside the bonuses."""
    crossover_every: int = number(4, 1, 999)
    """Experiments without a crossover after which one is due."""
    crossover_rate: float = number(0.25, 0, 1)
    """Share of crossovers below which one is due."""
    min_distance: float = number(0.3, 0, 1)
    """Jaccard distance of descriptions below which two elites are not crossed."""


@dataclass
class SearchConfig:
    """How candidates, incumbents and merges follow each other."""

    name: str = own_choice("evotrainer", "hillclimb", "specialists", "gear_prompt", "gear_fixed", "gear_evolve")
    """Registry key of the strategy; hillclimb is the baseline."""
    candidates_per_generation: int = number(2, 1, 64)
    """Versions that start side by side from one incumbent."""
    share_rollout: str = choice("auto", "always", "never")
    """Whether versions of one incumbent take the rollout of its first; auto: slots side by side do not where the policy
    is embedded."""
    merge: bool = True
    """Whether two winners of one generation are merged into a version."""
    use_findings: bool = True
    """False: the trainer agent sees scores only."""
    use_backtests: bool = True
    """False: backtests are recorded but neither rank nor refuse a candidate (the score-only baseline)."""
    specialists: list[str] = field(default_factory=lambda: list(SPECIALISTS))
    """specialists: who takes part, in the order of their first turns."""
    gear: GearConfig = field(default_factory=GearConfig)


@dataclass
class HarnessConfig:
    """The diagnostics in force."""

    plugins: list[str] = field(default_factory=lambda: [*SHARED_PLUGINS])
    """Folders of harness_plugins/ that are loaded."""
    without: list[str] = field(default_factory=list)
    """Diagnostics of these folders that are not asked, by name."""
    checks: list[str] = field(default_factory=list)
    """YAML files of a person's own checks (docs/harness.md); a campaign copies them to harness_plugins/own_checks/."""
    actions: dict[str, Any] = field(default_factory=dict)
    """Own rows in front of evotrainer/actions/table.yaml, in its form: {tools: {my_grep: search}}."""
    evolve: bool = False
    """Whether the harness revises itself between generations; the folder evolved/ is then loaded too."""
    levers: str = choice("none", "audited")
    """Whether what an audit shows is proposed as a change (docs/levers.md)."""
    escalate_after: int = number(0, 0, 100)
    """Failed versions in a row after which the next generation changes its ways (search/base.py); 0: never."""
    max_new_diagnostics: int = number(2, 0, 100)
    """Evolved diagnostics that one revision may add."""

    @property
    def folders(self) -> list[str]:
        """The folders of harness_plugins/ that are loaded."""
        return [*self.plugins, *([EVOLVED] if self.evolve and EVOLVED not in self.plugins else [])]


@dataclass
class MemoryConfig:
    """What earlier campaigns taught."""

    name: str = choice("branch", "none")
    """branch: the campaign reads branch `memory` at its start and appends to it once, at its end."""


@dataclass
class TrackingConfig:
    """Where training is shown while it runs. Protected, and without effect on any result."""

    trackers: list[str] = field(default_factory=lambda: ["jsonl", "tensorboard"])
    """Of jsonl (one object a step, for programs of your own), tensorboard, wandb, or module:Class."""
    project: str = "evotrainer"
    """Name that runs are gathered under, where a tracker has projects or experiments."""
    notify: str = ""
    """A shell command that gets verdicts, waiting gates and failures as JSON, or an address that they are posted to."""


@dataclass
class TotalBudgetConfig:
    """What the whole campaign may spend, its certificate included; 0: no limit."""

    accelerator_hours: float = number(0.0, 0, 1_000_000_000)
    """Hours of GPUs: the seconds of each stage times the GPUs that it holds."""
    dollars: float = number(0.0, 0, 1_000_000_000)
    """Answers of the trainer agent's model, and accelerator hours at accelerator_price."""
    tokens: int = number(0, 0)
    """Tokens that policies sample, and those that the trainer agent's model reads and writes."""
    trajectories: int = number(0, 0)
    """Attempts at problems: in rollouts, training, evaluations and the certificate."""
    hours: float = number(0.0, 0, 1_000_000)
    """Wall clock of the campaign's runs, waiting for a person included."""
    until: str = ""
    """Local time at which a run must have ended: 07:00 is the next one after its start; or 2026-11-24T07:00."""
    accelerator_price: float = number(0.0, 0, 1_000_000)
    """Dollars of one accelerator hour."""

    @property
    def is_limited(self) -> bool:
        """Whether any limit is set."""
        limits = (self.accelerator_hours, self.dollars, self.tokens, self.trajectories, self.hours)
        return any(limits) or bool(self.until)


@dataclass
class WarmUpConfig:
    """Supervised stages before reinforcement learning, each a version of its own. Protected.

    The first shows worked answers of the train split. Each further one shows the policy its own right attempts at the
    train problems, one a problem (rejection sampling: STaR, arXiv 2203.14465; RAFT, arXiv 2304.06767).
    """

    rows: int = number(0, 0, 1_000_000)
    """Worked answers that are shown, at most; 0: the campaign has no such stage."""
    rounds: int = number(0, 0, 100)
    """Stages on own right attempts; they end with the first that is not promoted."""
    attempts: int = number(4, 1, 1024)
    """Attempts at each train problem of which such a stage takes the first right one."""
    passes: int = number(1, 1, 1000)
    """How often each is shown."""
    batch: int = number(16, 1, 65_536)
    """Worked answers a step."""
    learning_rate: float = number(3e-5, 1e-9, 1)
    """Step size of AdamW, before its rise over 20 steps and its decay."""

    @property
    def stages(self) -> int:
        """How many there are, at most."""
        return bool(self.rows) + self.rounds


@dataclass
class BudgetConfig:
    """Compute, the same for all versions, and what all of them may spend. Protected: no intervention touches it."""

    train_tokens: int = number(200_000, 1)
    """Sampled tokens of one training run; it ends with the step that reaches them."""
    max_steps: int = number(200, 1)
    """Optimiser steps of one training run, at most."""
    rollout_problems: int = number(64, 1, 1_000_000)
    """Train problems sampled by the rollout stage, one group each."""
    probe_problems: int = number(32, 0, 1_000_000)
    """Problems of the probe split that the rollout stage samples too."""
    probe_rollouts: int = number(128, 0, 1_000_000)
    """Trajectories that a backtest of a sampling factor may sample."""
    audit_rows: int = number(256, 8, 1_000_000)
    """Attempts that one audit grades again, where domain.audit_path is set."""
    max_train_seconds: float = number(3600.0, 1)
    """Wall clock that aborts a run (failed: train_budget_overrun); it never shapes one."""
    total: TotalBudgetConfig = field(default_factory=TotalBudgetConfig)


@dataclass
class EvaluateConfig:
    """The evaluator, the same for all versions. Protected."""

    attempts: int = number(8, 1, 1024)
    """k of Avg@k."""
    max_problems: int = number(240, 2, 1_000_000)
    """Validation problems of one evaluation, at most."""
    max_response_tokens: int = number(48, 1, 1_000_000)
    """Tokens that the policy may write in one trajectory of an evaluation."""
    max_turns: int = number(1, 1, 1000)
    """Turns of one trajectory of an evaluation."""
    temperature: float = number(1.0, 0, 5)
    """Of the sampled attempts of an evaluation."""
    bootstrap_samples: int = number(10_000, 100, 10_000_000)
    """Resamples of an interval."""
    confidence: float = number(0.95, 0.5, 0.9999)
    """Of all intervals."""
    max_error_share: float = number(0.05, 0, 1)
    """Share of draws lost to infrastructure errors above which a version is inconclusive, never worse."""
    regraded_rows: int = number(32, 0, 1_000_000)
    """Sampled rows that each evaluation grades a second time."""
    gate: str = choice("sequential", "greedy")
    """The promotion rule. sequential: fresh rounds under the campaign's error budget; greedy: any higher score (the
    baselines' rule)."""
    measure: str = choice("mean", "greedy", "pass")
    """What promotes: the mean over attempts (the score), the greedy answers, or pass@4 (docs/gate.md)."""
    error_budget: float = number(0.05, 1e-6, 0.05)
    """Chance of any false promotion in the campaign, in equal shares of num_versions (sequential gate)."""
    max_gate_attempts: int = number(64, 4, 4096)
    """Fresh attempts a problem on each arm after which the sequential gate stops undecided."""
    recipe_seeds: int = number(0, 0, 512)
    """Fresh training seeds of each promoted version's recipe; the recipe that it is compared with gets a third more.
    0: none, and the recipe stays unproven."""


@dataclass
class AutonomyConfig:
    """Where a campaign waits for a person (docs/operations.md)."""

    name: str = choice("full", "human_gated", "escalate")
    """human_gated: each candidate waits at its gates; escalate: after failures in a row, until one is promoted."""
    gates: list[str] = field(default_factory=lambda: list(GATES))
    """Stages after which a candidate waits: diagnosis, proposal, backtest, completion."""
    timeout_hours: float = number(12.0, 0.001, 8760)
    """How long a gate waits for an answer."""
    on_timeout: str = choice("approve", "abort")
    """The answer that a gate takes when nobody gave one in time."""
    escalate_after: int = number(2, 1, 100)
    """escalate: failed versions in a row after which gates are in force."""


def end_of_run(until: str, start: datetime) -> datetime:
    """Return the time at which a run that starts at `start` must have ended; raises ConfigError for other texts.

    `start` has no zone or that of `until`; 07:00 is the next seven o'clock.
    """
    if re.fullmatch(r"\d{1,2}:\d{2}", until):
        hour, minute = map(int, until.split(":"))
        if hour < 24 and minute < 60:
            end = start.replace(hour=hour, minute=minute, second=0, microsecond=0)
            return end if end > start else end + timedelta(days=1)
    try:
        found = datetime.fromisoformat(until)
    except ValueError:
        raise ConfigError(f"budget.total.until={until!r} is no time: write 07:00, or 2026-11-24T07:00") from None
    return found if start.tzinfo is not None or found.tzinfo is None else found.astimezone().replace(tzinfo=None)


def check_operation(total: TotalBudgetConfig, autonomy: AutonomyConfig) -> None:
    """Raise ConfigError for an end that is no time, and for a gate that does not exist."""
    if total.until:
        end_of_run(total.until, datetime.now())
    for gate in autonomy.gates:
        if gate not in GATES:
            raise ConfigError(f"autonomy.gates names '{gate}': choose from {', '.join(GATES)}")
