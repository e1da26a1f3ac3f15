"""Diagnostics of scores and of the grading behind them, for every domain."""
