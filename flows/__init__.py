"""The sentences: what happens in which order. Prefect flows, and the git worktrees and DVC storage that they work in."""
