"""The rules of the rule engine, one row each.

A rule fires when all conditions of `when` hold (a number that was not measured fails), or when a finding names one of
its `modes`. Its step is relative to the present recipe, so that a successful rule can be applied again. A rule with
neither `when` nor `modes` is an exploration: it comes after all rules that fire.

`probability` is the credence before any evidence from this campaign; rules.py moves it. Priors of explorations
are low because the signs that trainer agents predicted were right in 6-26% of real trials (arXiv 2605.05724).

A step returns {flat key: new value}. Steps that multiply keep whole numbers whole and round to three digits, so that
recipes reached by different ways compare equal, and stay inside the ranges of the recipe's keys.

Sources: EvoTrainer's rule engine, arXiv 2606.03108 (dead groups and one discrete value; shaped reward up while
correctness is flat; exploration collapse; the alert limits of its base metrics), DAPO (arXiv 2503.14476: clip-higher,
refill, overlong handling), Dr.GRPO (arXiv 2503.20783: biases of spread and length), RAGEN-2 (arXiv 2604.06268:
template collapse and filtering by signal), Adam's memory against the length of a run.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evotrainer.algorithm.kl_budget import kl_headroom
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.validation import multiplied
from evotrainer.records import Condition, Direction

STILL = (("truncation_rate", 0.1), ("format_failure_rate", 0.1))
"""(metric, allowed rise) of every hypothesis: answers get better, neither longer than the budget nor looser in form."""

PAID_STILL = (*STILL, ("length_reward_corr", 0.3))
"""Of a hypothesis about a term that is not length: it is not to be earned by length."""


Step = Callable[[Config, Mapping[str, float]], dict[str, Any]]
"""From the recipe and the reading (agents/base.py) to a setting."""


def constant(setting: Mapping[str, Any]) -> Step:
    """Set these values whatever they are now."""
    return lambda config, reading: dict(setting)


def reaching(key: str, *, least: float, most: float) -> Step:
    """Multiply a key by what takes a run to the distance of a healthy one, within [least, most].

    The bounds limit the extrapolation from one run; a run that is still far from its limit can be scaled again.
    """

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        ratio = min(max(math.exp(kl_headroom(reading.get("kl"), has_lost=reading.get("gain", 0.0) < 0)), least), most)
        return {key: multiplied(key, flatten(config_to_dict(config))[key], ratio)}

    return step


def scaled(
    ratios: Mapping[str, float], *, when_zero: float = 0.0, zero_below: float = 0.0, lowest: float = 0.0
) -> Step:
    """Multiply each key. From 0 the step goes to `when_zero`; a result below `zero_below` becomes 0."""

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        flat = flatten(config_to_dict(config))
        setting = {}
        for key, ratio in ratios.items():
            new = multiplied(key, flat[key], ratio) if flat[key] else when_zero
            setting[key] = type(flat[key])(0 if new < zero_below else max(new, lowest))
        return setting

    return step


def swapped(grows: str, shrinks: str, ratio: int) -> Step:
    """Multiply one key and divide the other, so that their product stays."""

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        flat = flatten(config_to_dict(config))
        return {grows: flat[grows] * ratio, shrinks: max(1, flat[shrinks] // ratio)}

    return step


def clip_higher(ratio: float) -> Step:
    """Raise the upper edge of the trust region, in proportion to the lower one."""

    def step(config: Config, reading: Mapping[str, float]) -> dict[str, Any]:
        edge = max(config.algorithm.clip_high, config.algorithm.clip_low) * ratio
        return {"algorithm.clip_low": config.algorithm.clip_low, "algorithm.clip_high": float(f"{edge:.3g}")}

    return step


@dataclass(frozen=True)
class Rule:
    """If these conditions hold, take this step, and expect `metric` to move by `size` within [low, high]."""

    name: str
    factor: str
    step: Step
    because: str
    """Ends the hypothesis; {names} of conditions are filled with their numbers."""
    metric: str
    size: float
    low: float
    high: float
    probability: float
    when: tuple[Condition, ...] = ()
    modes: tuple[str, ...] = ()
    controls: tuple[tuple[str, float], ...] = STILL
    """(metric, allowed rise over its present value): what the hypothesis says does not move, its own metric aside."""

    @property
    def direction(self) -> Direction:
        """The sign of the predicted change."""
        return "up" if self.size > 0 else "down" if self.size < 0 else "none"

    @property
    def is_exploration(self) -> bool:
        """Whether the rule rests on nothing that was observed."""
        return not self.when and not self.modes


def _when(*texts: str) -> tuple[Condition, ...]:
    """Read 'kl < 0.02' as a Condition."""
    parts = [text.split() for text in texts]
    return tuple(Condition(metric=m, operator=o, value=float(v)) for m, o, v in parts)  # type: ignore[arg-type]


_TIMID = _when("trained >= 1", "kl < 0.03", "clip_fraction < 0.05", "gain > -0.02")
"""The policy stays close to its start and nothing binds, while the score does not fall."""

RULES: tuple[Rule, ...] = (
    # The policy hardly moves: larger, more or freer steps.
    Rule("timid_steps", "learning_rate", reaching("algorithm.learning_rate", least=1.5, most=4.0),
         "the run ends only {kl:.4f} nats from its start with {clip_fraction:.1%} of ratios clipped and a gain of "
         "{gain:+.3f}: its steps are too small for its token budget",
         "score", 0.06, -0.05, 0.25, 0.65, _TIMID),
    Rule("pulled_back", "kl", scaled({"algorithm.kl_coefficient": 0.25}, zero_below=0.002),
         "a pull of {algorithm.kl_coefficient:g} towards the base policy holds it at {kl:.4f} nats while the score "
         "gains {gain:+.3f}",
         "score", 0.02, -0.03, 0.10, 0.5, (*_TIMID, *_when("algorithm.kl_coefficient > 0"))),
    Rule("one_step_a_batch", "minibatches", scaled({"algorithm.num_minibatches": 2}),
         "{algorithm.num_minibatches:.0f} optimiser step a batch with {clip_fraction:.1%} clipped leaves sampled "
         "tokens half used",
         "score", 0.04, -0.05, 0.15, 0.5, _TIMID),
    Rule("large_batches", "batch_size", scaled({"sampling.problems_per_step": 0.5}, lowest=4),
         "at {kl:.4f} nats from the start, more and smaller steps of the same tokens go further",
         "score", 0.03, -0.05, 0.12, 0.45, _TIMID),
    Rule("long_memory", "optimiser", constant({"algorithm.adam_beta2": 0.95}),
         "second moments with a memory of 1/(1-{algorithm.adam_beta2:g}) steps outlast the run and shrink late steps",
         "score", 0.01, -0.04, 0.06, 0.35, (*_TIMID, *_when("algorithm.adam_beta2 > 0.98"))),
    # The policy moves too violently: the opposite.
    Rule("wild_steps", "learning_rate", reaching("algorithm.learning_rate", least=0.1, most=0.5),
         "the run ends {kl:.3f} nats from its start with a gain of {gain:+.3f}: its steps destroy more than they build",
         "score", 0.05, -0.05, 0.30, 0.6, _when("trained >= 1", "kl > 0.2", "gain < 0.02")),
    Rule("ratios_clipped", "minibatches", scaled({"algorithm.num_minibatches": 0.5}),
         "{clip_fraction:.1%} of ratios are clipped: later steps of a batch fight the trust region",
         "clip_fraction", -0.1, -0.5, 0.0, 0.6, _when("clip_fraction > 0.2", "algorithm.num_minibatches > 1")),
    Rule("far_from_base", "kl", scaled({"algorithm.kl_coefficient": 4.0}, when_zero=0.01),
         "the policy drifted {kl:.3f} nats while the score gained {gain:+.3f}",
         "kl", -0.1, -2.0, 0.0, 0.5, _when("trained >= 1", "kl > 0.3", "gain < 0.05")),
    # Groups without signal.
    Rule("dead_groups_larger", "group_size", swapped("sampling.group_size", "sampling.problems_per_step", 2),
         "{dead_group_ratio:.0%} of groups have no variance: p^G + (1-p)^G falls with G",
         "dead_group_ratio", -0.12, -0.4, 0.0, 0.75, _when("dead_group_ratio > 0.3"), ("dead_groups",)),
    Rule("dead_groups_refill", "group_filter", constant({"filter.group": "group_variance", "filter.refill": True}),
         "{dead_group_ratio:.0%} of groups give no gradient: replacing them makes every step full",
         "score", 0.01, -0.05, 0.08, 0.4, _when("dead_group_ratio > 0.3"), ("dead_groups", "zero_gradient")),
    Rule("dead_groups_mixture", "mixture", constant({"data.mixture": "by_signal"}),
         "{dead_group_ratio:.0%} dead groups lie mostly in families that are mastered or hopeless: sample by p(1-p)",
         "dead_group_ratio", -0.08, -0.3, 0.0, 0.6, _when("dead_group_ratio > 0.3"), ("dead_groups",)),
    Rule("dead_groups_band", "curriculum", constant({"data.curriculum": "band"}),
         "{dead_group_ratio:.0%} of groups are all right or all wrong: leave such problems out",
         "dead_group_ratio", -0.1, -0.4, 0.0, 0.55, _when("dead_group_ratio > 0.3"), ("dead_groups",)),
    Rule("coarse_reward", "partial_reward", constant({"reward.partial": 0.2}),
         "{dead_group_ratio:.0%} dead groups under a reward of two values: a finer one revives the wrong ones",
         "dead_group_ratio", -0.12, -0.5, 0.0, 0.7, _when("dead_group_ratio > 0.3", "reward.partial <= 0"),
         ("dead_groups",), controls=PAID_STILL),
    Rule("weak_family", "mixture", constant({"data.mixture": "by_failure"}),
         "one family of problems lies far behind the others: it should come more often",
         "score", 0.01, -0.04, 0.08, 0.45, (), ("weak_family",)),
    Rule("no_spread", "temperature", scaled({"sampling.temperature": 1.2}),
         "attempts of a group differ by {reward_spread:.3f} only: hotter sampling spreads them",
         "reward_spread", 0.02, -0.02, 0.15, 0.5, _when("reward_spread < 0.15", "entropy < 0.3")),
    # What cuts, gates and prices do.
    Rule("cut_short", "response_budget", scaled({"sampling.max_response_tokens": 1.5}),
         "{truncation_rate:.0%} of attempts are cut by the budget",
         "truncation_rate", -0.1, -0.6, 0.0, 0.75, _when("truncation_rate > 0.1"), ("truncation",)),
    Rule("cut_in_loss", "trajectory_mask", constant({"filter.mask_truncated": True}),
         "{truncation_rate:.0%} cut attempts teach that their beginning was wrong",
         "score", 0.01, -0.05, 0.06, 0.35, _when("truncation_rate > 0.05"), ("truncation",)),
    Rule("cut_unpriced", "length_reward", constant({"reward.overlong_penalty": 0.5}),
         "{truncation_rate:.0%} of attempts run into the budget at no price",
         "truncation_rate", -0.05, -0.5, 0.0, 0.5, _when("truncation_rate > 0.1"), ("truncation",)),
    Rule("format_unpaid", "format_reward", scaled({"reward.format": 2.0}, when_zero=0.1),
         "{format_failure_rate:.0%} of attempts miss the format and learn it through correctness alone",
         "format_failure_rate", -0.05, -0.5, 0.0, 0.7, _when("format_failure_rate > 0.03"), ("format_gate",),
         controls=PAID_STILL),
    Rule("long_pays", "length_reward", scaled({"reward.length_penalty": 1.0}, when_zero=0.1),
         "length and reward correlate at {length_reward_corr:.2f}",
         "mean_tokens", -3.0, -30.0, 0.0, 0.6, _when("length_reward_corr > 0.3"), ("length_gaming",)),
    Rule("penalty_hurts", "length_reward", scaled({"reward.length_penalty": 0.0}),
         "under a price of length of {reward.length_penalty:g} the shortest failure of a group ranks first "
         "(correlation {length_reward_corr_failures:.2f}): what failed is taught to fail sooner",
         "score", 0.03, -0.05, 0.15, 0.6,
         _when("length_reward_corr_failures < -0.3", "reward.length_penalty > 0")),
    Rule("long_failures", "loss", constant({"algorithm.loss": "dr_grpo"}),
         "failures are the longer attempts (correlation {length_reward_corr:.2f}): dividing by length spares them",
         "score", 0.01, -0.04, 0.06, 0.4, _when("length_reward_corr < -0.2", "reward.length_penalty <= 0")),
    # Exploration ends.
    Rule("exploration_collapses", "entropy", scaled({"algorithm.entropy_coefficient": 2.0}, when_zero=0.003),
         "tokens are sampled at a mean logprob of {mean_logprob:.3f}: nothing new is tried",
         "entropy", 0.03, -0.01, 0.3, 0.65, (), ("entropy_collapse",)),
    Rule("rare_tokens_clipped", "clip", clip_higher(1.35),
         "{clip_fraction:.1%} of ratios are clipped, those of rare tokens first: raise the upper edge",
         "entropy", 0.02, -0.02, 0.2, 0.5, _when("clip_fraction > 0.02", "algorithm.num_minibatches > 1")),
    # The reward says one thing, correctness another.
    Rule("bonus_hacked_format", "format_reward", scaled({"reward.format": 0.5}, zero_below=0.03),
         "reward and correctness part: a bonus is earned without the outcome",
         "score", 0.03, -0.05, 0.15, 0.55, (), ("phantom_advantage", "constant_term", "reward_outcome_divergence")),
    Rule("bonus_hacked_partial", "partial_reward", scaled({"reward.partial": 0.5}, zero_below=0.05),
         "reward and correctness part: nearly right is paid like right",
         "score", 0.03, -0.05, 0.15, 0.5, (), ("phantom_advantage", "reward_outcome_divergence")),
    Rule("over_filtered", "group_filter", constant({"filter.group": "group_variance"}),
         "the filter drops groups that carry signal",
         "usable_groups", 0.05, 0.0, 1.0, 0.5, (), ("over_filtering",)),
    # Episodes with tools: circles, giving up, skipped steps, edits that fail. Other domains have no such factors.
    Rule("degenerate_masked", "episode_mask",
         constant({"filter.mask_abandon": True, "filter.mask_idle": True, "filter.mask_echo": True}),
         "episodes that give up or repeat themselves set the baseline of their groups: leave them out of the loss",
         "score", 0.01, -0.05, 0.08, 0.35, (), ("echo_trap", "timidity")),
    Rule("circles_cut", "response_budget", scaled({"sampling.max_turns": 0.67}),
         "attempts that go in circles use turns that bring nothing: fewer turns end them sooner",
         "circle_rate", -0.05, -0.5, 0.02, 0.45, (), ("echo_trap",)),
    Rule("steps_unpaid", "process_reward", constant({"reward.search_before_edit": 0.1, "reward.edit_then_test": 0.15}),
         "no reward pays for searching before an edit or testing after it, and attempts leave these steps out",
         "score", 0.02, -0.05, 0.1, 0.45, (),
         ("timidity", "low_search_before_edit", "low_self_test_rate"), controls=PAID_STILL),
    Rule("edits_fail", "temperature", scaled({"sampling.temperature": 0.8}),
         "{failed_edit_rate:.0%} of edits fail: cooler sampling keeps to the form that the tools take",
         "failed_edit_rate", -0.05, -0.5, 0.02, 0.4, (), ("failed_edits", "tool_failures")),
    # Attempts become alike.
    Rule("actions_collapse", "entropy", scaled({"algorithm.entropy_coefficient": 2.0}, when_zero=0.003),
         "attempts repeat one pattern of actions: pay for trying others",
         "entropy", 0.03, -0.01, 0.3, 0.5, (), ("action_collapse",)),
    Rule("template_filtered", "group_filter", constant({"filter.group": "ragen_v2"}),
         "reasoning no longer depends on the problem: groups of little signal, where regularisers outweigh the task, "
         "are filtered out",
         "score", 0.01, -0.05, 0.08, 0.4, (), ("template_collapse",)),
    # What a judge, a sampler or a budget does.
    Rule("dead_groups_judged", "judge_reward", constant({"reward.judge": 0.2}),
         "{dead_group_ratio:.0%} of groups give no gradient: a rubric judge tells attempts of one outcome apart",
         "dead_group_ratio", -0.15, -0.6, 0.0, 0.5, (), ("dead_groups",), controls=PAID_STILL),
    Rule("judge_hacked", "judge_reward", scaled({"reward.judge": 0.5}, zero_below=0.11),
         "the judge is talked to: what it says is paid less",
         "score", 0.02, -0.05, 0.12, 0.55, (), ("judge_hacking",)),
    Rule("stale_batches", "minibatches", scaled({"algorithm.num_minibatches": 0.5}),
         "rollouts are older than the policy that they train: fewer steps on each batch",
         "score", 0.01, -0.05, 0.06, 0.4, (), ("staleness",)),
    Rule("mismatch_bounded", "dual_clip", constant({"algorithm.dual_clip": 3.0}),
         "sampler and trainer disagree on probabilities: bound the ratio of what is pushed away",
         "score", 0.01, -0.05, 0.06, 0.35, (), ("train_inference_mismatch",)),
    Rule("overruns_repeat", "response_budget", scaled({"sampling.max_response_tokens": 0.67}),
         "runs outlast their budget again and again: shorter attempts take less time a step",
         "mean_tokens", -3.0, -1000.0, 0.0, 0.5, (), ("budget_blindness",)),
    Rule("pay_finer_still", "partial_reward", scaled({"reward.partial": 2.0}),
         "{dead_group_ratio:.0%} dead groups although what is partly right is paid: pay more for it",
         "dead_group_ratio", -0.08, -0.4, 0.0, 0.4, _when("dead_group_ratio > 0.5", "reward.partial > 0"),
         controls=PAID_STILL),
    # Explorations: what nothing speaks for or against.
    Rule("explore_learning_rate", "learning_rate", scaled({"algorithm.learning_rate": 2.0}),
         "the step size was never varied", "score", 0.03, -0.1, 0.2, 0.4),
    Rule("explore_minibatches", "minibatches", scaled({"algorithm.num_minibatches": 2}),
         "sampled tokens were never used twice", "score", 0.02, -0.08, 0.12, 0.35),
    Rule("explore_batch", "batch_size", scaled({"sampling.problems_per_step": 0.5}, lowest=4),
         "smaller steps, more of them, were never tried", "score", 0.02, -0.06, 0.1, 0.35),
    Rule("explore_kl", "kl", scaled({"algorithm.kl_coefficient": 0.0}),
         "the pull towards the base policy was never let go", "score", 0.01, -0.04, 0.08, 0.33),
    Rule("explore_group_size", "group_size", swapped("sampling.group_size", "sampling.problems_per_step", 2),
         "larger groups estimate their baseline better", "score", 0.01, -0.05, 0.06, 0.3),
    Rule("explore_advantage", "advantage", constant({"algorithm.advantage": "group_mean"}),
         "dividing by the spread weighs the easiest and the hardest problems most", "score", 0.01, -0.05, 0.06, 0.28),
    Rule("explore_token_mean", "loss", constant({"algorithm.loss": "bnpo"}),
         "weighing all tokens of a batch alike lets long attempts count", "score", 0.005, -0.04, 0.05, 0.26),
    Rule("explore_failure_mixture", "mixture", constant({"data.mixture": "by_failure"}),
         "families that fail hold the headroom", "score", 0.01, -0.05, 0.06, 0.26),
    Rule("explore_easy_first", "curriculum", constant({"data.curriculum": "easy_first"}),
         "easy problems teach the format before hard ones need it", "score", 0.005, -0.05, 0.05, 0.24),
    Rule("explore_std_filter", "group_filter", constant({"filter.group": "std"}),
         "groups of low spread add more noise than signal", "score", 0.005, -0.05, 0.05, 0.24),
    Rule("explore_partial", "partial_reward", scaled({"reward.partial": 2.0}, when_zero=0.2),
         "nearly right answers were never told from wild ones", "score", 0.005, -0.06, 0.06, 0.24, controls=PAID_STILL),
    Rule("explore_temperature", "temperature", scaled({"sampling.temperature": 0.8}),
         "cooler attempts lie closer to what is evaluated", "score", 0.005, -0.1, 0.06, 0.2),
    Rule("explore_entropy", "entropy", scaled({"algorithm.entropy_coefficient": 2.0}, when_zero=0.003),
         "exploration was never paid", "score", 0.003, -0.05, 0.05, 0.2),
    Rule("explore_optimiser", "optimiser", constant({"algorithm.adam_beta2": 0.95}),
         "a shorter memory of second moments was never tried", "score", 0.003, -0.04, 0.05, 0.2),
)  # fmt: skip
