"""The tools of an episode: what a call does, and what it shows."""
