"""Factors that several domains have: of a rubric judge, and of episodes that call tools over several turns."""

from evotrainer.config.factors import EPISODE_MASKS, Factor

JUDGE_REWARD = Factor(
    "judge_reward",
    ("reward.judge",),
    ({"reward.judge": 0.0}, {"reward.judge": 0.2}),
    "pay for what a rubric judge says",
)
EPISODE_MASK = Factor(
    "episode_mask",
    EPISODE_MASKS,
    (dict.fromkeys(EPISODE_MASKS, True), *({key: True} for key in EPISODE_MASKS)),
    "whether episodes that gave up, did nothing or went in circles reach the loss",
)
