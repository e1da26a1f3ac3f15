"""The rollout stage: groups of attempts sampled from the incumbent policy."""
