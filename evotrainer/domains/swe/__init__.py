"""Software engineering: a repository with a bug, tools over many turns, hidden tests."""
