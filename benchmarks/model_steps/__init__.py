"""Training steps of a model of a real size: tokens a second and memory beside the estimate."""
