"""Configuration groups as YAML, and the one module that composes them (compose.py)."""
