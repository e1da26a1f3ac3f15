"""Peak memory of one training step of a real architecture, beside the estimate that is made before it is loaded."""
