"""Diagnostics by folder: one module, one diagnostic, loaded by evotrainer/diagnosis/harness.py alone."""
