"""Diagnostics for code."""
