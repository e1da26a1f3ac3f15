"""Training with torch: batches, the update, the loop, its state, supervised training."""
