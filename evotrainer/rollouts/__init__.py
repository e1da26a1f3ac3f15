"""Episodes of a policy in an environment, and how a policy is scored by them."""
