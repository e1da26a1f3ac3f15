"""Diagnostics for swe."""
