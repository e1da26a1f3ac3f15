"""Build the embedded base policy, with a progress line while it trains."""

import time

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import load_embedded_policy
from evotrainer.errors import ConfigError

PROGRESS_STEPS = 50


def run(files: CampaignFiles, policy: str) -> None:
    """Write policies/<policy>; raises ConfigError for a name that is not embedded."""
    definition = files.embedded_policy(policy)
    if not definition.is_file():
        known = sorted(path.stem for path in definition.parent.glob("*.yaml"))
        raise ConfigError(f"'{policy}' is no embedded policy: choose one of {', '.join(known)}")
    from evotrainer.training.torch.warm_start import warm_start  # imports torch

    config, started = load_embedded_policy(definition), time.monotonic()

    def progress(step: int, loss: float) -> None:
        if step % PROGRESS_STEPS == 0:
            left = (time.monotonic() - started) / step * (config.warm_start_steps - step)
            print(f"warm start {step}/{config.warm_start_steps}  loss {loss:.3f}  {left:.0f} s left", flush=True)

    policy_hash = warm_start(config, files.policy(policy), progress)
    print(f"policy: {policy_hash}", flush=True)
