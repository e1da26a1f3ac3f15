"""Is a version better? Statistics, sequential tests within one error budget a campaign, and the verdict in words.

    evaluation.py    what is known of a version: screen, report, gate
    statistics.py    intervals, tests and noise floor of score tables; winner's curse, drift of an arm for a round
    betting.py       wealth of a bettor against "not better", and the confidence sequence it implies
    checkpoint.py    the sequential gate on fresh rows: state and step
    rounds.py        the gates of one version: error level, limits, rounds
    recipe.py        the gate on fresh training seeds: is the recipe better, did the hypothesis fire
    verdict.py       the decision; verdict_text.py says it

Everything is a pure function of its arguments; states are frozen records.
"""
