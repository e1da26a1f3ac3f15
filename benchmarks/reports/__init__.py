"""Tables and figures of the benchmarks."""
