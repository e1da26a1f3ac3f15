"""Where the built-in problem sets come from: procedural generators, their splits, and the check of a set on disk."""
