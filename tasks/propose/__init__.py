"""Propose: findings and lineage to a ranked pool of interventions, and the one that this version takes."""
