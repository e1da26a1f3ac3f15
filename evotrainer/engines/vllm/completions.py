"""One completion as the server's JSON: what is asked, and what must be true of the answer.

All settings of sampling are sent, since a server takes those that are missing from the checkpoint's
generation_config.json. One request carries one prompt and one seed: with `n` the server would derive the seeds of all
but the first itself, and an attempt would depend on those beside it. Repeated prompts meet the prefix cache instead.
"""

from collections.abc import Sequence
from typing import Any

from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.errors import PolicyError, RolloutError

PATH = "/v1/completions"
_UNCHANGED = {
    "top_k": 0,
    "min_p": 0.0,
    "repetition_penalty": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "add_special_tokens": False,
    "return_token_ids": True,
    "return_tokens_as_token_ids": True,
}


def request(
    model: str, prompt: Sequence[int], sampling: SamplingParams, seed: int, stop_ids: Sequence[int], top: int = 0
) -> dict[str, Any]:
    """Return the body of a request; with `top` the answer holds so many of the most probable tokens beside each."""
    return {
        "model": model,
        "prompt": list(prompt),
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": seed,
        "stop_token_ids": list(stop_ids),
        "logprobs": top,
        **_UNCHANGED,
    }


def read(answer: dict[str, Any], prompt: Sequence[int], max_tokens: int, stop_ids: Sequence[int]) -> Completion:
    """Return the completion in an answer.

    Raises:
        RolloutError: the server gave up on it, or the answer is not whole.
        PolicyError: what was sampled is not what would be trained on.

    """
    try:
        choice = answer["choices"][0]
        ids, echoed = choice["token_ids"], choice["prompt_token_ids"]
        logprobs, reason = choice["logprobs"]["token_logprobs"], choice["finish_reason"]
    except (KeyError, IndexError, TypeError):
        raise RolloutError("the server's answer is no completion with token ids and logprobs") from None
    if ids is None or echoed is None:
        raise PolicyError("the server gives no token ids (return_token_ids): it must run vLLM 0.10.2 or newer")
    if list(echoed) != list(prompt):
        raise PolicyError("the server read another prompt than was sent: its tokenizer is not the policy's")
    if reason not in ("stop", "length"):
        raise RolloutError(f"the server ended a completion early: {reason}")
    if len(ids) != len(logprobs) or not all(isinstance(value, int | float) for value in logprobs):
        raise RolloutError("the server's answer has not one logprob for each token")
    if reason == "stop" and (not ids or ids[-1] not in stop_ids):
        raise PolicyError("the server ends turns at a token that the policy's tokenizer does not name as their end")
    if reason == "length" and len(ids) != max_tokens:
        raise RolloutError(f"the server cut a completion at {len(ids)} tokens of {max_tokens}")
    return Completion(tuple(ids), tuple(logprobs), "stop" if reason == "stop" else "max_tokens")
