"""Small programs: generated problems in families, and rows in the styles of public data sets."""

from evotrainer.domains.code.problems.families import FAMILIES, canonical_form

__all__ = ["FAMILIES", "canonical_form"]
