"""The evolve stage: the harness revised after a generation, on all stored versions."""
