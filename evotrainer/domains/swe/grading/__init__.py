"""Judging a patch: hidden tests, checks beside the grade, conduct, and the audit against real checkouts."""
