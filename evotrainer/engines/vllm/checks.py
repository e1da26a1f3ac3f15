"""Whether rollouts on vLLM can start, before a campaign: a policy of one's own, and an interpreter or a server."""

from evotrainer.config import Config
from evotrainer.engines.vllm.client import ServerClient
from evotrainer.engines.vllm.process import check_interpreter
from evotrainer.errors import ConfigError, ServerLostError


def check_startable(config: Config) -> None:
    """Raise ConfigError or ServerLostError, with the remedy, where rollouts on vLLM cannot start."""
    settings = config.engine.vllm
    if not config.policy.path:
        raise ConfigError("engine.rollout=vllm needs policy.path: vLLM does not run the embedded policies")
    if not settings.url:
        check_interpreter(settings)
        return
    client = ServerClient(settings.url, 1, settings.request_seconds)
    try:
        if not client.start(client.is_healthy()).result():
            raise ServerLostError(
                f"no vLLM server answers at {settings.url}: start one as docs/vllm.md shows, or leave engine.vllm.url "
                "empty"
            )
    finally:
        client.close()
