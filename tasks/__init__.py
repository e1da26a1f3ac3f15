"""The verbs: one module a stage with its function `run`, or a package where it has parts; running/ runs them."""
