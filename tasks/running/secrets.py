"""Which variables of the environment a stage may see: none that holds a secret, but for the stages that need it.

A stage runs code of a policy, of plugins and of a person's own domain. What it never had cannot leak from it. The flow
keeps all variables, and so do its DVC commands that push and pull, which need those of the storage.
"""

import re
from collections.abc import Mapping

PASS_VARIABLE = "EVOTRAINER_PASS"
"""Names further variables, separated by commas, that every stage may see: a domain of one's own may need a key."""
SECRET_NAME = re.compile(
    r"(^|_)(API_?KEY|ACCESS_?KEY(_ID)?|PRIVATE_?KEY|KEY|SECRETS?|TOKENS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|AUTH_SOCK"
    r"|PASS|AUTH_STRING|CONNECTION_STRING|DSN|WEBHOOK|JWT)(_|$)"
    r"|_PWD$|(PASSWORD|TOKEN|JWT|(SECRET|API|ACCESS|PRIVATE)KEY)$|^(AWS|AZURE)_",
    re.IGNORECASE,
)
SECRET_VALUE = re.compile(r"^\w[\w+.-]*://[^/@\s:]*:[^/@\s]+@")
"""A URL with a password in it, with a user or without; that of a proxy is no secret of ours."""
PROXY = re.compile(r"_proxy$", re.IGNORECASE)

TRAINER_KEYS, ROLLOUT_KEY = frozenset({"ANTHROPIC_API_KEY", "OPENAI_API_KEY"}), "VLLM_API_KEY"
TRACKERS = frozenset(
    {"WANDB_API_KEY", *(f"MLFLOW_TRACKING_{name}" for name in ("URI", "TOKEN", "USERNAME", "PASSWORD"))}
)
NEEDED: dict[str, frozenset[str]] = {
    "propose": TRAINER_KEYS | {ROLLOUT_KEY},
    "evolve": TRAINER_KEYS,
    "train": TRACKERS | {ROLLOUT_KEY},
    **dict.fromkeys(("rollout", "backtest", "evaluate", "confirm", "certify"), frozenset({ROLLOUT_KEY})),
}
"""What the stages ask for: the trainer agent's model by two of them, a policy's server by those that sample."""


def visible(environment: Mapping[str, str], stage: str) -> dict[str, str]:
    """Return the variables that a stage may see."""
    passed = environment.get(PASS_VARIABLE, "").replace(",", " ").split()
    allowed = NEEDED.get(stage, frozenset()) | {PASS_VARIABLE, *passed}
    return {name: value for name, value in environment.items() if name in allowed or not _is_secret(name, value)}


def _is_secret(name: str, value: str) -> bool:
    return bool(SECRET_NAME.search(name) or (SECRET_VALUE.match(value) and not PROXY.search(name)))
