"""The key of the model's endpoint: read from the environment where it is used, and kept out of every text.

It is no part of the configuration, of a question or of an answer, so that nothing that is stored can hold it.
"""

import os

from evotrainer.config.campaign import TrainerConfig
from evotrainer.errors import AgentError

VARIABLE = "ANTHROPIC_API_KEY"
HIDDEN = "[key]"
_NO_KEY = "none"
"""Sent to an endpoint of one's own where there is no key: most ask for some word."""


def read_key(config: TrainerConfig, otherwise: str = "trainer=rules and trainer=replay need neither") -> str:
    """Return the key; raises AgentError, with what to do otherwise, where there is none and Anthropic is asked."""
    key = os.environ.get(VARIABLE, "").strip()
    if key:
        return key
    if config.base_url:
        return _NO_KEY
    raise AgentError(
        f"there is no key for {config.model}: set {VARIABLE}, or trainer.base_url to an endpoint of your own "
        f"(docs/claude.md); {otherwise}"
    )


def without_key(text: str) -> str:
    """Return a text that does not hold the key, whoever wrote it there."""
    key = os.environ.get(VARIABLE, "").strip()
    return text.replace(key, HIDDEN) if key else text
