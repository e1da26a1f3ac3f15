"""Which class runs a campaign's policies: the embedded one where `policy.path` is empty, else transformers.

The configuration decides and not the directory: both kinds can be Llamas, and a mark inside a checkpoint would stay
there when another program changes the network. All versions of a campaign descend from one base policy, so one answer
holds for all.
"""

from pathlib import Path

from evotrainer.config import Config
from evotrainer.engines.hf import RunSettings, TransformersPolicy
from evotrainer.engines.policy import Policy
from evotrainer.engines.tiny.policy import EmbeddedPolicy


def load_policy(config: Config, path: Path) -> Policy:
    """Load a policy of this campaign; raises PolicyError if it is absent, corrupt or of an unknown kind."""
    device = config.engine.device
    if config.policy.path:
        policy = TransformersPolicy.load(path, device, config.policy.path, _run_settings(config))
    else:
        policy = EmbeddedPolicy.load(path, device)
    policy.codec.given_format = config.policy.tool_call_format
    return policy


def _run_settings(config: Config) -> RunSettings:
    engine = config.engine
    return RunSettings(engine.precision, engine.attention, engine.gradient_checkpointing, engine.packing)
