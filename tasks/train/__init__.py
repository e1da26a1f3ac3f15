"""The train stage: the version's policy, trained under its recipe."""
