"""The sentences: what happens in which order. Prefect flows, and the worktrees and DVC storage they work in."""
