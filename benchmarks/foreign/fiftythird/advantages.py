"""Advantages, set on attempts after their rewards: GRPO, Dr. GRPO, RLOO."""

from statistics import mean, stdev

from benchmarks.foreign.fiftythird.policy import Draw, by_group


def grpo(draws: list[Draw]) -> list[Draw]:
    """Centred on the group and divided by its sample standard deviation."""
    for group in by_group(draws):
        rewards = [draw.reward for draw in group]
        for draw in group:
            draw.advantage = round((draw.reward - mean(rewards)) / (stdev(rewards) + 1e-4), 6)
    return draws


def centred(draws: list[Draw]) -> list[Draw]:
    """Dr. GRPO: centred on the group."""
    for group in by_group(draws):
        middle = mean(draw.reward for draw in group)
        for draw in group:
            draw.advantage = round(draw.reward - middle, 6)
    return draws


def leave_one_out(draws: list[Draw]) -> list[Draw]:
    """RLOO: against the mean of the others of the group."""
    for group in by_group(draws):
        middle = mean(draw.reward for draw in group)
        for draw in group:
            draw.advantage = round((draw.reward - middle) * len(group) / (len(group) - 1), 6)
    return draws
