"""From what happened to one number: the reward terms of a trajectory, and their weighted sum.

Terms are unweighted and recorded whether they count or not, so that a backtest can replay any weights on stored rows.
The grader gives `correct`, `format` and `partial`; length and truncation are known only where tokens are, hence here.
The terms of reward.code and reward.correction join once all attempts of a batch are graded (code/recipe_code.py);
their weight is 1.
"""

from collections.abc import Mapping

from evotrainer.config import RewardConfig
from evotrainer.config.code import CODE_TERM, CORRECTION_TERM


def terms_of(
    grade_terms: Mapping[str, float], num_tokens: int, max_response_tokens: int, is_truncated: bool
) -> dict[str, float]:
    """Return the grader's terms plus `length`, the share of the budget used, in [0, 1], and `overlong`, 0 or 1."""
    length = min(1.0, num_tokens / max_response_tokens)
    return {**grade_terms, "length": length, "overlong": float(is_truncated)}


def combine(terms: Mapping[str, float], config: RewardConfig) -> float:
    """Return the reward: weighted terms, penalties subtracted. A term that a row lacks counts as 0."""
    reward = 0.0
    for name, weight in _weights(config).items():
        reward += weight * terms.get(name, 0.0)
    return reward


def _weights(config: RewardConfig) -> dict[str, float]:
    """Return what each term is paid, those that are paid nothing left out, in the order in which terms are added."""
    weights = {
        "correct": config.correct,
        "format": config.format,
        "partial": config.partial,
        "search_before_edit": config.search_before_edit,
        "edit_then_test": config.edit_then_test,
        "judge": config.judge,
        "length": -config.length_penalty,
        "overlong": -config.overlong_penalty,
        **config.terms,
        **({CODE_TERM: 1.0} if config.code else {}),
        **({CORRECTION_TERM: 1.0} if config.correction else {}),
    }
    return {name: weight for name, weight in weights.items() if weight}
