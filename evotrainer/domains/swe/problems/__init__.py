"""Bugs in repositories: rows with the repository within, and rows in the style of SWE-bench."""
