"""Environments in the manner of verifiers as domains: `wrap` makes one of an environment object.

verifiers itself is imported by environments.py alone, when that is named. An environment of a person's own needs no
more than the documented interface (episode.py).
"""

from evotrainer.domains.verifiers.domain import wrap

__all__ = ["wrap"]
