"""A campaign's report: a table for the terminal, the score trajectory, one self-contained HTML page, plain values."""
