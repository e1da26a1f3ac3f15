"""The diagnose stage: the harness over fresh evidence of the incumbent."""
