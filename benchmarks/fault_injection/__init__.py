"""The failure-mode benchmark: real rollouts, cases and controls made of them, and what detectors are worth on these."""
