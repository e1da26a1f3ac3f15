"""Ask after the verdict: is the recipe better under fresh training seeds."""
