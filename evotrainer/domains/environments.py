"""Environments by name of their domain. Each is built from a plain spec, so that a remote worker can rebuild it."""

import importlib

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Environment
from evotrainer.errors import ConfigError

ENVIRONMENTS = {
    "math": "evotrainer.domains.math.environment:MathEnvironment",
    "code": "evotrainer.domains.code.environment:CodeEnvironment",
    "swe": "evotrainer.domains.swe.environment:SweEnvironment",
}


def create_environment(domain: DomainConfig) -> Environment:
    """Return a new environment of `domain.name`; raises ConfigError that lists the choices."""
    if domain.name not in ENVIRONMENTS:
        raise ConfigError(f"domain.name '{domain.name}' is unknown: choose one of {', '.join(ENVIRONMENTS)}")
    module, name = ENVIRONMENTS[domain.name].split(":")
    return getattr(importlib.import_module(module), name)(domain)
