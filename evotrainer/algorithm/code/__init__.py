"""Code of interventions: a reward term, a mask, a group filter or problem weights as a function in the sandbox.

rows.py         what a function is given: a frozen set of fields
worker.py       runs a function over many rows in one execution
recipe_code.py  the code of one recipe, applied alike in training and in backtests
examination.py  why a function may not train, as stored rows show it
"""

from evotrainer.algorithm.code.recipe_code import NO_CODE, RecipeCode
