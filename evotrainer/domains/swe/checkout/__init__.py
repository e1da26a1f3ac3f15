"""Repositories and their working copies: in memory, on disk, and the history that an episode may see."""
