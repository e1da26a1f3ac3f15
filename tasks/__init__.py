"""The verbs: one package a stage, its logic in `stage.py`; running/ runs them."""
