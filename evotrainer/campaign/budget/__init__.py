"""The budget of a whole campaign (budget.total): what was spent, what the next version takes, what is left of it.

    costs/<stage>.json ─► ledger ─► estimate of a version, from measured stages ─► allowance: how many versions fit
    a running stage ─► its note in scratch/budget/ ─► hard stop inside of it (tasks/running/budget_watch.py)

Tokens, trajectories, dollars and accelerator hours are counted by stage. Wall clock is that of the campaign's runs.
"""
