"""The factor of domains whose answers a rubric judge can score."""

from evotrainer.config.factors import Factor

JUDGE_REWARD = Factor(
    "judge_reward",
    ("reward.judge",),
    ({"reward.judge": 0.0}, {"reward.judge": 0.2}),
    "pay for what a rubric judge says",
)
