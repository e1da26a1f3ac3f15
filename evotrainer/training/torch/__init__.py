"""Training with torch: batches, the update, the loop, its state, the warm start of embedded policies."""
