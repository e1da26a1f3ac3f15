"""Judging a program: its text, its tests, checks beside the grade, and checks of the problem itself."""
