"""Diagnostics of what attempts do: tools, turns, length and variety, for every domain."""
