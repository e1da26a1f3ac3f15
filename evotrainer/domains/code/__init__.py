"""Competitive programming: one program a problem, judged by hidden tests in the sandbox."""
