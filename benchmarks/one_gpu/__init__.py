"""Training a model of a real size on one GPU: tokens a second, use and memory of rollout and training, beside TRL."""
