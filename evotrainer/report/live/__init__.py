"""A campaign while it runs: in the terminal (watch.py) and as a local page (app.py). Nothing here writes to it."""
