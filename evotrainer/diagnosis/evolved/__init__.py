"""The harness that evolves: gaps found in evidence, revisions searched for them, and the gate that each must pass."""
