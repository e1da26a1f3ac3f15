"""Diagnostics that the harness added to itself."""
