"""Judging a patch: hidden tests, checks beside the grade, conduct, and the audit of stored grades."""
