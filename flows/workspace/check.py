"""The result of one check of a machine, a checkout or a campaign's settings."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Check:
    """What was looked at, whether it is well, and what to do where it is not."""

    name: str
    state: Literal["ok", "warning", "error"]
    message: str
