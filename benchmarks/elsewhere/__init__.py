"""Rows that other systems wrote: what the harness reads, finds and accuses there."""
