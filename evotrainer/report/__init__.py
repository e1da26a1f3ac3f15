"""A campaign's report: a table for the terminal, the score trajectory, one self-contained HTML page, plain values.

live/ shows the same while the campaign runs.
"""
