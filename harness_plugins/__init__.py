"""Diagnostics by folder: one module, one diagnostic, loaded by evotrainer/harness.py and imported by nobody."""
