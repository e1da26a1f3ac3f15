"""Diagnostics for every domain."""
