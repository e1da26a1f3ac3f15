"""Training steps of a model of a real size: tokens a second, use and memory beside the estimate."""
