"""Score a version on the validation split, audit it, and give the verdict."""
