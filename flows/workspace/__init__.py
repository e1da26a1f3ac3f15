"""A campaign's git worktree: starting, finishing versions, locks, receipts, storage, health."""
