"""Whether transformers makes the network of a person's own policy, and its weights fit, before anything is loaded."""

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.errors import PolicyError
from flows.workspace.check import Check
from flows.workspace.checks.apart import look_apart
from flows.workspace.checks.base import Start
from flows.workspace.checks.folder import is_sound

CHECKER = "evotrainer.engines.architecture"


def look_at_architecture(start: Start) -> list[Check]:
    """Compare the weights with config.json; raises PolicyError where they do not fit.

    Only a warning where another program trains and samples: it may know networks that transformers here does not.
    """
    own = start.own_policy
    if own is None or not own.is_dir() or not is_sound(own):
        return []  # the look at the policy says what is wrong
    try:
        odd = look_apart(start.main, CHECKER, str(own))["odd"]
    except TimeoutError:
        raise PolicyError(
            f"the network of {own / 'config.json'} takes too long to make: restore the directory"
        ) from None
    except PolicyError as error:
        if start.config.engine.train == "torch":
            raise
        return [Check("architecture", "warning", str(error))]
    if odd:
        return [Check("architecture", "warning", text) for text in odd]
    kind = read_model_config(own)["model_type"]
    return [Check("architecture", "ok", f"the weights fit the network of config.json, {kind}")]
