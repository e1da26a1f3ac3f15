"""A training script as the thing that is searched: trials of seconds, scored outside of the trial (docs/search.md)."""
