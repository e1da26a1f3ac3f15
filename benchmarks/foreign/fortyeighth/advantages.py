"""Advantages of attempts from their rewards, as trainers compute them."""

from statistics import mean, pstdev, stdev

from benchmarks.foreign.fortyeighth.attempts import Try, by_step, grouped


def _rewards(group: list[Try]) -> list[float]:
    return [float(one.reward or 0.0) for one in group]


def grpo(tries: list[Try]) -> list[Try]:
    """Centred on the group and divided by its sample standard deviation."""
    for group in grouped(tries):
        rewards = _rewards(group)
        centre, width = mean(rewards), stdev(rewards) + 1e-4
        for one, reward in zip(group, rewards, strict=True):
            one.advantage = round((reward - centre) / width, 5)
    return tries


def centred(tries: list[Try]) -> list[Try]:
    """Dr. GRPO and prime-rl: centred on the group."""
    for group in grouped(tries):
        centre = mean(_rewards(group))
        for one in group:
            one.advantage = round(float(one.reward or 0.0) - centre, 5)
    return tries


def leave_one_out(tries: list[Try]) -> list[Try]:
    """RLOO: against the mean of the others of the group."""
    for group in grouped(tries):
        rewards = _rewards(group)
        for one, reward in zip(group, rewards, strict=True):
            one.advantage = round(reward - (sum(rewards) - reward) / (len(rewards) - 1), 5)
    return tries


def whole_batch(tries: list[Try]) -> list[Try]:
    """REINFORCE++: standardised over the step."""
    for batch in by_step(tries):
        rewards = _rewards(batch)
        centre, width = mean(rewards), pstdev(rewards) + 1e-8
        for one, reward in zip(batch, rewards, strict=True):
            one.advantage = round((reward - centre) / width, 5)
    return tries
