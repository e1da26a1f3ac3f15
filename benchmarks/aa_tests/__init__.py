"""A/A tests: campaigns in which nothing is better, so that every promotion is false.

    pool.py      attempts of one policy, stored block by block; each is dealt once
    policies.py  campaigns whose versions all are one policy: the checkpoint gate, simpler rules on the same attempts
    outcomes.py  what a campaign came to, as records and a table

Attempts cost, campaigns over them do not: what is stored is the former, and campaigns are held anew by every run.
"""
