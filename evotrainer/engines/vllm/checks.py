"""Whether rollouts on vLLM can start, and whether a server runs this policy's kind of model.

Before a campaign: a policy of one's own, and an interpreter or a server. Before the first request: the name of the
model and its vocabulary. The server's tokenizer and chat template are never used, since prompts are token ids, and so
are completions. Weights are the canary's matter.
"""

from pathlib import Path

from evotrainer.config import Config
from evotrainer.engines.checkpoint import read_model_config
from evotrainer.engines.codec import HfChatCodec
from evotrainer.engines.model_files import NAMES, read_size
from evotrainer.engines.vllm import completions
from evotrainer.engines.vllm.client import ServerClient
from evotrainer.engines.vllm.process import check_interpreter
from evotrainer.errors import ConfigError, PolicyError, ServerLostError


def check_startable(config: Config) -> None:
    """Raise ConfigError, ServerLostError or PolicyError, with the remedy, where rollouts on vLLM cannot start."""
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
        find_model(client, settings.model)
    finally:
        client.close()


def find_model(client: ServerClient, wanted: str) -> tuple[str, int]:
    """Return the served name of the model, and how many tokens prompt and completion may have together."""
    models = client.call("/v1/models", method="GET").get("data", [])
    roots = [model for model in models if not model.get("parent")]
    names = [model["id"] for model in roots]
    if wanted and wanted not in names:
        raise PolicyError(
            f"the server at {client.url} has no model '{wanted}', but {', '.join(names) or 'none'}: "
            "correct engine.vllm.model"
        )
    if not wanted and len(names) != 1:
        raise PolicyError(
            f"the server at {client.url} serves {', '.join(names) or 'no model'}: name one with engine.vllm.model"
        )
    model = roots[names.index(wanted)] if wanted else roots[0]
    return model["id"], int(model.get("max_model_len") or 2**31)


def check_vocabulary(client: ServerClient, model: str, codec: HfChatCodec, path: Path) -> None:
    """Raise PolicyError unless the server knows exactly the ids of the policy at `path`."""
    in_model = read_size(path, read_model_config(path), NAMES["vocabulary"]) or 0
    size = max(in_model, 1 + max(codec.tokenizer.get_vocab(with_added_tokens=True).values()))
    if not _knows(client, model, size - 1) or _knows(client, model, size):
        raise PolicyError(
            f"the server at {client.url} has another vocabulary than {path} ({size} ids): start it with "
            "--model of this campaign's policy, or let engine.vllm.python start one"
        )


def _knows(client: ServerClient, model: str, token: int) -> bool:
    """Tell whether an id is the model's, by a bias of 0 for it: the server compares that with the vocabulary at once.

    As a prompt the id may pass its checks and end the program on a GPU: where the tokenizer is as large as the network,
    vLLM 0.24 lets the first id beyond both through.
    """
    body = completions.request(model, [0], completions.SamplingParams(1), 0, ()) | {"logit_bias": {str(token): 0.0}}
    try:
        client.call(completions.PATH, body)
    except PolicyError as error:
        if "vocab" in str(error):
            return False
        raise
    return True
