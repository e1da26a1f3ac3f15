"""Judging a patch: hidden tests, checks beside the grade, and conduct."""
