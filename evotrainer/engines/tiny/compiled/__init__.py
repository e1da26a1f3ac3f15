"""Rollouts of an embedded policy in compiled code, on a CPU: torch's path beside it is the reference."""
