"""Diagnostics for math."""
