"""A reward term: right answers earn more, the shorter they are."""


def reward(row):
    """Return up to 0.1 for a right answer; a wrong one earns nothing by being short."""
    return 0.1 * row["correct"] * (1.0 - row["terms"]["length"])
