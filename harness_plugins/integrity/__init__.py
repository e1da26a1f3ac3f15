"""Diagnostics of cheating, leaks and weak tests, which make a score false, for every domain."""
