"""The harness that evolves: gaps in the evidence, revisions that answer them, and the gate for each."""
