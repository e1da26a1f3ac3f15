"""Judging an answer: reading it, and comparing it symbolically in a process that can be killed."""
