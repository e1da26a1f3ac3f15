"""The harness: what a diagnostic is given and asked, its limits, and the diagnostics that nobody wrote."""
