"""Score base, baseline and final incumbent on the sealed test split, once."""
