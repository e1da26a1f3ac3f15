"""Reference algorithms, each one long training, beside searches that spend the same tokens over versions."""
