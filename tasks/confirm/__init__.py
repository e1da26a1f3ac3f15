"""Ask after the verdict: is the recipe better under fresh training seeds, and which part of a merge carried it."""
