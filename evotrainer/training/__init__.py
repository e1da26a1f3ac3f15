"""Training a policy: one run of a recipe, its replicates, and the engines that do it."""
