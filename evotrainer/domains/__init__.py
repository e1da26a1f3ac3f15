"""What is trained on. A domain is one folder: environment, grader, problems, demonstrations."""

from evotrainer.config import DomainConfig
from evotrainer.domains.swe.access import OPEN_HISTORY, SANITIZED_HISTORY
from evotrainer.errors import ConfigError
from evotrainer.records import AccessPolicy

_ACCESS = {"swe": (OPEN_HISTORY, SANITIZED_HISTORY)}


def access_policies(domain: DomainConfig) -> tuple[AccessPolicy, ...]:
    """Return the access policies of a domain, from open to strict."""
    return _ACCESS.get(domain.name, (AccessPolicy(),))


def access_policy(domain: DomainConfig) -> AccessPolicy:
    """Return the policy that a configuration names, the strictest where it names none; raises ConfigError."""
    policies = access_policies(domain)
    named = [policy for policy in policies if policy.name == domain.access] if domain.access else policies[-1:]
    if not named:
        known = ", ".join(policy.name for policy in policies)
        raise ConfigError(f"domain.access={domain.access} is unknown in domain {domain.name}: choose from {known}")
    return named[0]
