"""The factor of domains whose episodes call tools over several turns: which degenerate ones reach the loss."""

from evotrainer.config.factors import EPISODE_MASKS, Factor

EPISODE_MASK = Factor(
    "episode_mask",
    EPISODE_MASKS,
    (dict.fromkeys(EPISODE_MASKS, True), *({key: True} for key in EPISODE_MASKS)),
    "whether episodes that gave up, did nothing or went in circles reach the loss",
)
