"""Settings of real runs by TRL: healthy ones, and such as hold one mistake each, with fair names of it.

A mistake stands where people make it: in the options, in the reward functions, or in the problems.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.elsewhere import trl_rewards as rewards
from benchmarks.elsewhere.trl_rewards import Reward

Problems = list[dict[str, Any]]


@dataclass(frozen=True)
class TrlRun:
    """A setting of TRL; `modes` are the names of its fault, none where it is healthy."""

    options: dict[str, Any] = field(default_factory=dict)
    rewards: Sequence[Reward] = (rewards.accuracy_reward,)
    problems: Callable[[Problems], Problems] = list
    modes: tuple[str, ...] = ()


def shifted(problems: Problems) -> Problems:
    """Give each problem the answer of the next one."""
    answers = _answers(problems)
    return _answered(problems, [*answers[1:], answers[0]])


def told(problems: Problems) -> Problems:
    """Leave the answer in the prompt, as a template for humans has it."""
    return [problem | {"problem": f"{problem['problem']} (key: {problem['answer']})"} for problem in problems]


def few(problems: Problems) -> Problems:
    """Repeat six problems until they make up most of the data."""
    return [problems[place % 6] if place % 4 else problem for place, problem in enumerate(problems)]


def with_decimals(problems: Problems) -> Problems:
    """Write answers as a table of floats does: 12.0."""
    return _answered(problems, [f"{answer}.0" for answer in _answers(problems)])


def one_bad_source(problems: Problems) -> Problems:
    """Name two sources; the answers of one belong to the rows before."""
    named = two_sources(problems)
    sources = [problem["source"] for problem in named]
    answers = [problems[place - (source == "scraped")]["answer"] for place, source in enumerate(sources)]
    return _answered(named, answers)


def two_sources(problems: Problems) -> Problems:
    """Name two sources, both sound."""
    return [problem | {"source": "scraped" if place % 3 == 0 else "own"} for place, problem in enumerate(problems)]


def easy_first(problems: Problems) -> Problems:
    """Order problems by the length of their question: a curriculum."""
    return sorted(problems, key=lambda problem: len(problem["problem"]))


def _answers(problems: Problems) -> list[str]:
    return [problem["answer"] for problem in problems]


def _answered(problems: Problems, answers: Sequence[str]) -> Problems:
    return [problem | {"answer": answer} for problem, answer in zip(problems, answers, strict=True)]


HEALTHY = {
    "grpo": TrlRun(),
    "dr_grpo": TrlRun({"loss_type": "dr_grpo", "scale_rewards": "none"}),
    "dapo": TrlRun({"loss_type": "dapo", "epsilon_high": 0.28}),
    "bnpo": TrlRun({"loss_type": "bnpo"}),
    "gspo": TrlRun({"importance_sampling_level": "sequence"}),
    "batch_scaled_kl": TrlRun({"scale_rewards": "batch", "beta": 0.04}),
    "groups_of_two": TrlRun({"num_generations": 2}),
    "groups_of_sixteen": TrlRun({"num_generations": 16}),
    "graded": TrlRun(rewards=(rewards.near_reward,)),
    "hot": TrlRun({"temperature": 1.3, "learning_rate": 2e-4}),
    "cool": TrlRun({"temperature": 0.7}),
    "nucleus": TrlRun({"top_p": 0.9, "top_k": 20}),
    "two_updates": TrlRun({"num_iterations": 2, "learning_rate": 5e-5}),
    "logged_answers": TrlRun(rewards=(rewards.logged_accuracy,)),
    "two_rewards": TrlRun(rewards=(rewards.accuracy_reward, rewards.tidy_reward)),
    "curriculum": TrlRun({"shuffle_dataset": False}, problems=easy_first),
    "two_sources": TrlRun(rewards=(rewards.sourced_accuracy,), problems=two_sources),
    "cut_ones_masked": TrlRun({"max_completion_length": 40, "mask_truncated_completions": True}),
}
FAULTY = {
    "answers_of_the_next_problem": TrlRun(
        rewards=(rewards.logged_accuracy,),
        problems=shifted,
        modes=("metric_defect", "wrong_labels", "reward_outcome_divergence", "dead_groups"),
    ),
    "answers_in_the_prompt": TrlRun(problems=told, modes=("answer_reading", "contamination")),
    "length_is_paid": TrlRun(rewards=(rewards.wordy_reward,), modes=("length_gaming",)),
    "whatever_is_paid": TrlRun(
        rewards=(rewards.generous_reward,), modes=("dead_groups", "low_reward_spread", "constant_term", "weak_verifier")
    ),
    "sampled_cold": TrlRun({"temperature": 0.05}, modes=("dead_groups", "entropy_collapse", "low_reward_spread")),
    "cut_short": TrlRun({"max_completion_length": 10}, modes=("truncation", "length_limit", "dead_groups")),
    "rate_too_large": TrlRun(
        {"learning_rate": 2e-2},
        modes=("score_decline", "entropy_collapse", "template_collapse", "action_collapse", "dead_groups"),
    ),
    "six_problems_fill_the_data": TrlRun(problems=few, modes=("duplicate_problems", "over_filtering")),
    "a_box_is_expected": TrlRun(
        rewards=(rewards.boxed_reward,), modes=("format_gate", "dead_groups", "metric_defect", "low_reward_spread")
    ),
    "grader_forgets_keys": TrlRun(
        rewards=(rewards.forgetful_reward,), modes=("flaky_grading", "metric_defect", "reward_outcome_divergence")
    ),
    "grader_runs_out_of_time": TrlRun(
        rewards=(rewards.hurried_reward,), modes=("infrastructure_zeros", "infrastructure_errors", "flaky_grading")
    ),
    "judge_gives_its_default": TrlRun(
        rewards=(rewards.default_reward,), modes=("infrastructure_zeros", "judge_default", "flaky_grading")
    ),
    "answer_anywhere": TrlRun(
        rewards=(rewards.anywhere_reward,), modes=("weak_verifier", "reward_outcome_divergence", "metric_defect")
    ),
    "first_number_is_graded": TrlRun(
        rewards=(rewards.first_reward,),
        modes=("metric_defect", "reward_outcome_divergence", "format_gate", "dead_groups"),
    ),
    "answers_are_floats": TrlRun(
        rewards=(rewards.exact_reward,), problems=with_decimals, modes=("metric_defect", "reward_outcome_divergence")
    ),
    "wrong_is_paid": TrlRun(
        rewards=(rewards.reversed_reward,), modes=("score_decline", "weak_verifier", "reward_outcome_divergence")
    ),
    "one_source_has_wrong_answers": TrlRun(
        rewards=(rewards.sourced_accuracy,),
        problems=one_bad_source,
        modes=("metric_defect", "wrong_labels", "reward_outcome_divergence", "reward_bias"),
    ),
}
RUNS = HEALTHY | FAULTY
