"""Graders by name of their domain. The Protocol stands beside the environment's, in domains/base.py."""

import importlib

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Grader
from evotrainer.errors import ConfigError

GRADERS = {
    "math": "evotrainer.domains.math.grading.grader:MathGrader",
    "code": "evotrainer.domains.code.grading.grader:CodeGrader",
    "swe": "evotrainer.domains.swe.grading.grader:SweGrader",
}


def create_grader(domain: DomainConfig) -> Grader:
    """Return the grader of `domain.name`; raises ConfigError that lists the choices."""
    if domain.name not in GRADERS:
        raise ConfigError(f"domain.name '{domain.name}' is unknown: choose one of {', '.join(GRADERS)}")
    module, name = GRADERS[domain.name].split(":")
    return getattr(importlib.import_module(module), name)(domain)
