"""Commands of `python -m benchmarks`, a file for each group; the modules import typer alone."""
