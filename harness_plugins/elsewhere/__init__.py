"""Diagnostics of rows that other systems made: they judge texts and columns (evotrainer/diagnosis/texts/)."""
