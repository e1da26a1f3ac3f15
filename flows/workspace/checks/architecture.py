"""Whether transformers makes the network of a person's own policy, and its weights fit, before anything is loaded."""

from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.weight_files import weight_files
from evotrainer.errors import EvoTrainerError, PolicyError
from flows.workspace.check import Check
from flows.workspace.checks.apart import look_apart
from flows.workspace.checks.base import Start
from flows.workspace.own_files import refuse_links

CHECKER = "evotrainer.engines.architecture"


def look_at_architecture(start: Start) -> list[Check]:
    """Compare the weights with config.json; raises PolicyError where they do not fit.

    Only a warning where another program trains and samples: it may know networks that transformers here does not.
    """
    own = start.own_policy
    if own is None or not own.is_dir():
        return []
    try:
        refuse_links(own)
        settings = read_model_config(own)
        files = weight_files(own)
    except EvoTrainerError:
        return []  # the look at the policy says what is wrong
    if not files:
        return [Check("architecture", "warning", "its weights are no safetensors files: their shapes are not compared")]
    try:
        if not settings.get("model_type"):
            raise PolicyError(f"{own / 'config.json'} names no model_type: restore the directory")
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
    return [Check("architecture", "ok", f"the weights fit the network of config.json, {settings['model_type']}")]
