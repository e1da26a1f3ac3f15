"""Is this checkpoint better, is this recipe better: sequential tests within one error budget a campaign.

    budget.py            the campaign's error budget, spent in equal shares
    betting.py           wealth of a bettor against "not better", and the confidence sequence it implies
    checkpoint.py        the sequential gate on fresh rows: state and step
    recipe.py            the gate on fresh training seeds: state and step
    noise.py             noise floor, winner's curse, drift of an arm for a whole round
    hypothesis_check.py  did the hypothesis fire: predicted metric and negative controls over training seeds
    attribution.py       which of two merged winners carried the gain

Everything is a pure function of its arguments. States are frozen records with a JSON form: a gate survives a restart.
"""
