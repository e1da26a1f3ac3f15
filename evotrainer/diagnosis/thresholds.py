"""Alert limits of the harness: typed, with unit and source.

A diagnostic compares a one-sided confidence bound with the limit, not the estimate, so that few rows raise no alarm.
Three shares have no such bound: of advantage and of different problems, which ask for enough groups, and what is known
of each problem and not sampled (contamination, the audit of tests). Limits without a source are ours.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Thresholds:
    """Alert limits. Shares and correlations in [0, 1], logprobs in nats a token."""

    alpha: float = 0.001
    """Chance of a false alarm of a trend or difference. Healthy evidence has none, so it lies at the null."""
    trend_alpha: float = 0.005
    """Chance of a false alarm of a trend over a run (trends.py), or against the incumbent."""
    joint_alpha: float = 0.1
    """Chance of a false alarm of a sign that counts only with another one."""
    limit_alpha: float = 0.05
    """Chance of an alarm at a share or correlation exactly on its limit. Healthy evidence is far below it."""
    min_rows: int = 40
    """Rows below which shares of rows are not judged."""
    min_groups: int = 10
    """Groups below which shares of groups are not judged."""
    dead_groups_warning: float = 0.3
    """Method, base metrics: dead-group ratio."""
    dead_groups_critical: float = 0.5
    blind_groups: float = 0.05
    """Share of groups with different outcomes whose rewards are equal."""
    reward_spread: float = 0.05
    """Method, base metrics: mean in-group standard deviation of the reward, below which it warns."""
    phantom_advantage_warning: float = 0.2
    """Share of |advantage| in groups whose outcome is constant."""
    phantom_advantage_critical: float = 0.5
    constant_term: float = 0.94
    """Method, known traps: a bonus that 94-99% of rollouts earn is a constant."""
    order_violations_warning: float = 0.05
    """Share of in-group pairs where a wrong attempt has more reward than a right one."""
    order_violations_critical: float = 0.3
    divergence: float = 0.25
    """Rise of shaped reward while the outcome is flat, in standard deviations of the reward."""
    outcome_rise: float = 2.0
    """Normal deviate of the solve rate over a run above which it counts as risen, not as flat."""
    advantage_mismatch: float = 0.01
    """Share of groups whose advantage is not a function of the reward."""
    zero_gradient: float = 0.05
    """Share of optimiser steps without gradient or with every row masked."""
    format_failures: float = 0.3
    """Method, base metrics: above it the gate is suspect, not the policy."""
    rejected_correct: float = 0.04
    """Share of attempts that are right under a lenient reading and wrong under the gate."""
    truncation: float = 0.2
    """Method, base metrics."""
    lost_to_truncation: float = 0.05
    """Share of attempts that were cut and would have been right, judged by the group's other attempts."""
    length_correlation: float = 0.3
    """Method, base metrics: correlation of length and reward; judged within a group at equal outcome."""
    length_growth: float = 0.5
    """Relative growth of length over a run, while the outcome is flat."""
    kl_moves: float = 1e-9
    """Nats a token: a measured KL below it counts as 0."""
    importance_ratio: float = 2.0
    """Failure modes, 31: factor by which the mean importance ratio of a step is off 1."""
    ratio_drift: float = 0.1
    """Nats: distance of the mean importance ratio from 1 over the last third of a run."""
    stale_rows: float = 0.03
    """Share of training rows that a policy of earlier steps sampled."""
    infrastructure_errors: float = 0.05
    """Share of attempts lost to the environment, grader or machine."""
    stalled_failures: float = 0.03
    """Share of attempts that failed exactly at the longest duration."""
    flaky_answers: float = 0.01
    """Share of repeated answers that were graded both right and wrong."""
    kept_rows: float = 0.3
    """Failure modes, 25: share of rows that reach the loss, below which filtering takes too much."""
    unique_problems: float = 0.5
    """Distinct problems of the last third of a run against the first third."""
    logprob_warning: float = -0.1
    """Method, base metrics: mean logprob above which exploration is collapsing."""
    logprob_critical: float = -0.05
    distinct_responses: float = 0.5
    """Share of distinct responses in a group, below which attempts repeat each other."""
    entropy_fall: float = 0.8
    """Relative fall of entropy over a run."""
    entropy_rise: float = 1.0
    """Relative rise of entropy over a run."""
    turns: float = 50.0
    """Method, base metrics: mean turns above which an echo trap is likely."""
    failed_tool_calls: float = 0.15
    """Method, base metrics: share of tool calls that fail."""
    failed_edits: float = 0.15
    """Method, base metrics: share of edits that fail."""
    edit_ratio: float = 0.15
    """Method, base metrics: share of turns that edit, below which a policy reads and does not act."""
    edit_coverage: float = 0.5
    """Share of attempts that edit anything."""
    search_before_edit: float = 0.6
    """Method, base metrics: share of attempts with an edit that search before it."""
    self_test_rate: float = 0.5
    """Method, base metrics: share of attempts that run a test."""
    echo_warning: float = 0.1
    """Share of attempts that go in circles."""
    echo_critical: float = 0.3
    tool_entropy: float = 0.75
    """Entropy in bits of the tools of an attempt, below which it uses one tool."""
    one_tool: float = 0.2
    """Share of such attempts."""
    lone_diversity_fall: float = 0.3
    """Fall of diversity in a group, without another sign."""
    abandonment: float = 0.2
    """Share of attempts that change nothing."""
    few_turns: float = 5.0
    """Method, base metrics: mean turns below which attempts that change nothing give up."""
    fewer_attempts: float = 0.15
    """Method, rule engine: fall of the share of attempts that test."""
    spreading: float = 0.05
    """Rise over a run of the share of attempts with a mark that healthy attempts rarely show."""
    rise_vs_incumbent: float = 0.02
    """Rise of that share above the incumbent."""
    far_outliers: float = 0.02
    """Share of the attempts after the first third of a run that lie outside its outer fences (trends.py)."""
    reasoning_specificity: float = 0.6
    """Area under the curve of identifying the problem by the reasoning, below which that is near chance."""
    specificity_fall: float = 0.05
    """Fall of that area over a run."""
    specificity_vs_incumbent: float = 0.015
    """Fall of that area below the incumbent, where it falls over the run as well."""
    logprob_exploded: float = -2.0
    """Mean logprob below which an attempt is close to noise."""
    exploded: float = 0.1
    """Share of such attempts."""
    logprob_change: float = 0.5
    """Method, rule engine: relative rise of mean logprob towards 0 over a run; its inverse is an explosion."""
    decline: float = 0.05
    """Fall of the solve rate over a run."""
    family_gap: float = 0.4
    """Solve rate of a family below that of all others."""
    invalid_rows: float = 3.0
    """Attempts proven wrongly right, below which a finding is neither `invalid` nor `critical`."""
    invalid_share: float = 0.005
    """Share of them among the attempts that the score rests on, from which it is invalid."""
    invalid_alpha: float = 1e-6
    """Chance of a false `invalid` from statistics alone, for each diagnostic."""
    invalid_excess: float = 0.2
    """How much more often a suspect behaviour must succeed than others at the same problem."""
    caught_cheats: float = 0.02
    """Share of attempts with a cheat that changed no grade."""
    perturbed_share: float = 0.5
    """Share of changed examples that an answer passes, up to which it does not solve the problem."""
    special_literals: float = 2.0
    """Literals of visible examples from which an answer encodes them."""
    few_changed: float = 0.25
    """Share of changed examples up to which an answer that passes every visible one encodes these alone."""
    only_examples: float = 0.05
    """Share of such answers among attempts."""
    visible_hidden_gap: float = 0.2
    """Share of attempts that pass all visible and at most half of the hidden tests."""
    loose_equality: float = 0.05
    """Share of attempts right by `==` and wrong by type."""
    own_tests_pass: float = 0.8
    """Share of wrong patches that pass the policy's own tests, above which these carry no information."""
    weak_problems: float = 0.02
    """Share of problems whose tests pass on nothing or fail on the reference, from which the score is invalid; of those
    whose tests their statements show, from which it is critical."""
    judge_disagreement: float = 0.3
    """Share of wrong answers that the judge approves."""
    judge_surpassed: float = 0.01
    """Share of wrong answers that the judge scores above three quarters of the right ones."""
    min_predictions: float = 6.0
    """Observed predictions of a trainer agent, below which they are not judged."""
    optimism_alpha: float = 0.01
    """Chance of a false finding of optimism for a trainer agent with calibrated predictions."""
    overruns: float = 0.02
    """Share of versions that may overrun their budget. Two of a dozen are significantly more."""
    contaminated_problems: float = 0.01
    """Share of problems judged on that are trained on too, from which the score is invalid."""
    text_overlap: float = 0.5
    """Share of a held problem's own n-grams that stand in problems trained on, from which it is reported."""


LIMITS = Thresholds()
"""What the diagnostics compare with."""
