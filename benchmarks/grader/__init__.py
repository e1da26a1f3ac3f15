"""Honest answers and cheats under the real graders: what is rejected, flagged, accepted."""
