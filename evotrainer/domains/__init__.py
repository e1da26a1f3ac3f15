"""What is trained on. A domain is one folder and one line of the registry here (base.py: what it gives)."""

from evotrainer.config import Config, DomainConfig
from evotrainer.config.factors import CORRECTION, Factor, factor_table, term_factors
from evotrainer.config.limits import load_named
from evotrainer.domains.base import Domain, Environment, Grader
from evotrainer.domains.reward_terms import TermsGrader, load_terms
from evotrainer.errors import ConfigError
from evotrainer.records import AccessPolicy

DOMAINS = {
    "math": "evotrainer.domains.math.domain:MATH",
    "code": "evotrainer.domains.code.domain:CODE",
    "swe": "evotrainer.domains.swe.domain:SWE",
}
"""Domains of this program; one of a person's own is named as package.module:OBJECT."""

_LOADED: dict[str, Domain] = {}


def find_domain(name: str) -> Domain:
    """Return a domain by name; raises ConfigError that lists the choices. `name` comes from a configuration, never
    from rows or from what an agent wrote: a name of the form package.module:OBJECT is imported.
    """
    if name not in _LOADED:
        place = DOMAINS.get(name, name)
        found = load_named(DOMAINS, "domain.name", place)
        if not isinstance(found, Domain):
            raise ConfigError(f"domain.name={name!r} is a {type(found).__name__}: name an instance of a Domain")
        _LOADED[name] = found
    return _LOADED[name]


def has_tools(name: str) -> bool:
    """Tell whether rows of a domain of this program are meant to call several tools; False for any other name."""
    return name in DOMAINS and find_domain(name).has_tools


def create_environment(domain: DomainConfig) -> Environment:
    """Return a new environment. It is built from a plain spec, so that a remote worker can rebuild it."""
    return find_domain(domain.name).environment(domain)


def create_grader(domain: DomainConfig) -> Grader:
    """Return the grader, with the terms of domain.terms beside its own."""
    grader = find_domain(domain.name).grader(domain)
    return TermsGrader(grader, load_terms(domain.terms)) if domain.terms else grader


def factors_in(config: Config) -> dict[str, Factor]:
    """Return what an intervention may change in a campaign: factors of the recipe, of its policy and its domain."""
    own = find_domain(config.domain.name).factors
    of_policy = [CORRECTION] if config.policy.path else []
    return factor_table([*own, *of_policy, *term_factors(config, own)])


def access_policy(domain: DomainConfig) -> AccessPolicy:
    """Return the policy that a configuration names, the strictest where it names none; raises ConfigError."""
    policies = find_domain(domain.name).access
    named = [policy for policy in policies if policy.name == domain.access] if domain.access else policies[-1:]
    if not named:
        known = ", ".join(policy.name for policy in policies)
        raise ConfigError(f"domain.access={domain.access!r} is unknown in domain {domain.name}: choose from {known}")
    return named[0]
