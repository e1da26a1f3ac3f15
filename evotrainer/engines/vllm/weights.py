"""How new weights reach a running server. Whether they did is the canary's matter."""

from contextlib import suppress
from pathlib import Path

from evotrainer.engines.vllm.client import ServerClient
from evotrainer.errors import InfrastructureError, PolicyError


def reload(client: ServerClient, path: Path) -> str:
    """Replace the server's weights in place by the whole checkpoint at `path`; return why it did not, or nothing.

    The server reads `path` from its own file system.
    """
    body = {"method": "reload_weights", "kwargs": {"weights_path": str(path.resolve())}}
    try:
        client.call("/collective_rpc", body)
        is_reset = client.call("/reset_prefix_cache").get("success", True)
    except PolicyError:
        return "it takes no new weights (start it with VLLM_SERVER_DEV_MODE=1)"
    except InfrastructureError as error:
        return f"its reload of {path} failed: {error}"
    return "" if is_reset else "its prefix cache was not reset: requests of others are running"


def load_adapter(client: ServerClient, path: Path, name: str, former: str) -> str:
    """Load the adapter at `path` under `name` and drop the one called `former`; return why it did not, or nothing.

    Each adapter has a name of its own, and vLLM's prefix cache keeps contexts by that name.
    """
    if former and former != name:
        with suppress(PolicyError):  # an attempt whose answer was lost may have dropped it
            client.call("/v1/unload_lora_adapter", {"lora_name": former})
    try:
        client.call(
            "/v1/load_lora_adapter", {"lora_name": name, "lora_path": str(path.resolve()), "load_inplace": True}
        )
    except PolicyError as error:
        return f"{error} (it must run with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1)"
    return ""
