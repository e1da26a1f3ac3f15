"""The harness: what a diagnostic receives, its limits, and the diagnostics that the program generates itself."""
