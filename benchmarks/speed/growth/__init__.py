"""How costs grow with the size of what is worked on: one module a kind of work, each gives a `Growth`."""
