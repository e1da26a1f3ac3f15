"""A real HTTP server on localhost with vLLM's endpoints. torch runs its policy; it can be slow, wrong or stale."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import torch

from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from tests.model_endpoint import listening

Fault = int | Literal["close", "half", "silence", "early", "no ids"]
"""A status; a connection that closes, half an answer, no answer, a completion given up, or without ids."""


@dataclass
class PolicyServer:
    """What it serves, what it was asked, and how it misbehaves."""

    path: Path
    url: str = ""
    names: tuple[str, ...] = ("policy",)
    max_model_len: int = 1024
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    fault: Callable[[str, int], Fault | None] = lambda path, number: None
    """Given the path and how often it was asked before: what goes wrong."""
    is_stale: bool = False
    """A reload answers well and changes nothing."""
    can_reload: bool = True
    scale: float = 1.0
    """Multiplies the logprobs of completions, as a server does that gives those of the tempered distribution."""
    most_in_flight: int = 0
    closing: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        prepare_torch(1)
        self.lock = threading.Lock()
        self.in_flight = 0
        self.load(self.path)

    def load(self, path: Path) -> None:
        """Serve the policy at `path`."""
        self.engine = TorchRolloutEngine(EmbeddedPolicy.load(path))

    def asked(self, path: str) -> int:
        """Return how many requests came for a path."""
        return sum(found == path for found, _ in self.requests)

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Return status and JSON."""
        if path == "/v1/models":
            return 200, {"data": [{"id": name, "max_model_len": self.max_model_len} for name in self.names]}
        if path == "/v1/completions":
            return self._complete(body)
        if path == "/collective_rpc" and self.can_reload:
            if not self.is_stale:
                self.load(Path(body["kwargs"]["weights_path"]))
            return 200, {"results": [None]}
        if path == "/reset_prefix_cache":
            return 200, {"success": True}
        return (200, {}) if path == "/health" else (404, {"error": {"message": "Not Found"}})

    def _complete(self, body: dict[str, Any]) -> tuple[int, Any]:
        prompt, size = body["prompt"], int(self.engine.policy.config["vocab_size"])
        if body["model"] not in self.names:
            return 404, {"error": {"message": f"The model `{body['model']}` does not exist."}}
        if max(prompt) >= size:  # vLLM lets the first id beyond a tokenizer as large as the network through
            return 500, {"error": {"message": "EngineCore encountered an issue. See stack trace (above)"}}
        sampling = SamplingParams(body["max_tokens"], body["temperature"], body["top_p"])
        with self.lock, torch.inference_mode():
            [drawn] = self.engine.generate([prompt], sampling, [body["seed"]])
            last = self.engine.policy.logits(torch.tensor([prompt]))[0, -1].log_softmax(-1)
        top = last.topk(min(body["logprobs"] or 1, size))
        listed = dict(zip(top.indices.tolist(), top.values.tolist(), strict=True))
        listed |= dict(list(zip(drawn.token_ids, drawn.logprobs, strict=True))[:1])  # vLLM lists the sampled one too
        choice = {
            "token_ids": list(drawn.token_ids),
            "prompt_token_ids": prompt,
            "logprobs": {
                "token_logprobs": [value * self.scale for value in drawn.logprobs],
                "top_logprobs": [{f"token_id:{token}": value * self.scale for token, value in listed.items()}],
            },
            "finish_reason": "stop" if drawn.stop_reason == "stop" else "length",
        }
        return 200, {"choices": [choice]}


@contextmanager
def serving(path: Path, **settings: Any) -> Iterator[PolicyServer]:
    """Serve the policy at `path` while the block runs."""
    served = PolicyServer(path, **settings)
    with listening(_handler(served), served.closing) as url:
        served.url = url
        yield served


def _handler(served: PolicyServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:  # noqa: N802  # the names that http.server asks for
            self._serve({})

        def do_POST(self) -> None:  # noqa: N802
            self._serve(json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}"))

        def _serve(self, body: dict[str, Any]) -> None:
            with served.lock:
                fault = served.fault(self.path, served.asked(self.path))
                served.requests.append((self.path, body))
                served.in_flight += 1
                served.most_in_flight = max(served.most_in_flight, served.in_flight)
            try:
                self._send(fault, body)
            finally:
                with served.lock:
                    served.in_flight -= 1

        def _send(self, fault: Fault | None, body: dict[str, Any]) -> None:
            if served.closing.is_set():
                fault = "close"
            if fault == "silence":
                served.closing.wait(30)
            if fault in ("silence", "close"):
                self.close_connection = True
                return
            status, value = (fault, {"error": "busy"}) if isinstance(fault, int) else served.answer(self.path, body)
            if fault == "early":
                value["choices"][0]["finish_reason"] = "abort"
            if fault == "no ids":
                value["choices"][0]["token_ids"] = None
            content = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if fault == "half" else content)
            self.close_connection = fault == "half"

        def log_message(self, *args: Any) -> None:
            pass

    return Handler


def main(arguments: list[str]) -> None:
    """Serve as the command line of a vLLM server says, until killed; what is not known here is ignored."""
    given = dict(zip(arguments, arguments[1:], strict=False))
    served = PolicyServer(Path(given["--model"]), is_stale="--stale" in arguments)
    ThreadingHTTPServer(("127.0.0.1", int(given["--port"])), _handler(served)).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
