"""Attempts that other systems wrote: their files, names and structures, read as columns."""
