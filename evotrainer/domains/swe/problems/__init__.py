"""The swe problems: small Python repositories with one bug each, their tests, their history and the fix.

A family is a kind of bug. Two kinds are held out whole: what transfers to them is the habit of finding the line that
does not do what its function says, and of writing the one that does.
"""

FAMILIES = (
    "operator",
    "comparison",
    "off_by_one",
    "constant",
    "function",
    "condition",
    "returns",
    "default",
    "argument",
    "missing_call",
)
"""Wrong arithmetic operator, comparison, bound, number, function called; condition negated or missing; wrong value
returned, value by default, variable; a call that is missing."""

HELD_OUT_FAMILIES = ("argument", "missing_call")
"""Stand in test and holdout problems only; demonstrations may show them."""
