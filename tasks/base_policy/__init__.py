"""The base policy v0 of a domain: the stage of the root pipeline."""
