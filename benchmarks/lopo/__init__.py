"""`python -m benchmarks lopo`: leave one pathology out of the harness, and see whether an evolving one finds it."""
