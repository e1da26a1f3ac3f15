"""The nouns of EvoTrainer: records, evidence, lineage, statistics, policies, environments.

Read records/ first: it is the vocabulary. Nothing here knows Prefect, Hydra or DVC, and torch is imported
only inside engines/, so that the evidence side starts fast.
"""
