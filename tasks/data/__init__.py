"""The built-in problem sets, built by the code of the tree that asks for them."""
