"""`python -m benchmarks coevolution`: arms of one campaign beside each other, in process, with and without traps."""
