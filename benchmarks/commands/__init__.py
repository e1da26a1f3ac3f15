"""Commands of `python -m benchmarks`; the modules import typer alone."""
