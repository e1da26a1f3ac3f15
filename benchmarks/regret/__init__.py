"""`python -m benchmarks regret`: what choosing one candidate of a pool costs, against training all of them."""
