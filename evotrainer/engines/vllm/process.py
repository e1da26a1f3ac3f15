"""Starting a vLLM server in its own environment, waiting until it answers, and ending it; before, whether that can be.

The server is another program in another environment: it shares no package with EvoTrainer. It ends with the process
that started it (evotrainer/sandbox/processes.py). It listens on the loopback interface, on a port that was free. Its
log stays.
"""

import os
import socket
import sys
import time
from pathlib import Path

import psutil

from evotrainer.campaign.running import say
from evotrainer.config import Config, EngineConfig, VllmConfig
from evotrainer.engines.checkpoint import Checkpoint, read_model_config
from evotrainer.engines.vllm.client import ServerClient
from evotrainer.errors import ConfigError, PolicyError, ServerLostError
from evotrainer.sandbox.processes import keep, last_error

NAME = "policy"
"""The name under which a server that was started here serves the policy."""
CHECKOUT = Path(sys.prefix).parent
"""Where the environment of EvoTrainer lies: the main checkout, also in the worktree of a campaign."""
LOGS = Path(__file__).resolve().parents[3] / "scratch" / "logs" / "vllm"
RANKS = (8, 16, 32, 64, 128, 256, 320, 512, 1024)
"""Ranks that vLLM makes room for."""
POLL_SECONDS = 0.5
CPU_CACHE_PART = 8
"""One part of so many of the free memory is a CPU server's cache of keys and values."""
PROGRESS_SECONDS = 15.0
_EXTENSION = Path(__file__).with_name("in_server")


class ServerProcess:
    """A running server with the whole model of a checkpoint.

    Raises:
        ConfigError: `engine.vllm.python` is no interpreter.
        PolicyError: the server ended, or was not ready in time; the message quotes its log.

    """

    def __init__(self, config: EngineConfig, checkpoint: Checkpoint, *, on_gpu: bool) -> None:
        settings = config.vllm
        check_interpreter(settings)
        self.url = f"http://127.0.0.1:{_free_port()}"
        LOGS.mkdir(parents=True, exist_ok=True)
        self.log = LOGS / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{self.url.rpartition(':')[2]}.log"
        self._seconds = settings.start_seconds
        with self.log.open("wb") as log:
            self._keeper = keep(command(config, checkpoint, self.url, on_gpu=on_gpu), log, environment())

    def wait_until_ready(self, client: ServerClient) -> None:
        """Return when the server answers; says every few seconds that it does not yet."""
        started = reported = time.monotonic()
        while not client.start(client.is_healthy()).result():
            waited = time.monotonic() - started
            if not self.is_alive():
                raise PolicyError(f"the vLLM server ended while it started: {self._last_error()} (log: {self.log})")
            if waited > self._seconds:
                self.close()
                raise PolicyError(
                    f"the vLLM server was not ready after {waited:.0f} s: raise engine.vllm.start_seconds "
                    f"(log: {self.log})"
                )
            if time.monotonic() - reported >= PROGRESS_SECONDS:
                reported = time.monotonic()
                say(f"vLLM server starts  {waited:.0f} s  log {self.log}")
            time.sleep(POLL_SECONDS)  # the server announces nothing: it is asked until it answers

    def is_alive(self) -> bool:
        """Tell whether the server runs."""
        return self._keeper.poll() is None

    def check(self) -> None:
        """Raise ServerLostError unless the server still runs."""
        if not self.is_alive():
            raise self.gone()

    def gone(self) -> ServerLostError:
        """Return the error of a server that ended by itself."""
        return ServerLostError(
            f"the vLLM server ended: {self._last_error()} (log: {self.log}); run the campaign again, it goes on"
        )

    def _last_error(self) -> str:
        return last_error(self.log.read_text(errors="replace"))

    def close(self) -> None:
        """End the server with all its processes, and wait until they are gone."""
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        self._keeper.wait()


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


def check_interpreter(settings: VllmConfig) -> None:
    """Raise ConfigError unless `engine.vllm.python` is an interpreter."""
    python = CHECKOUT / settings.python
    if not python.is_file() or not os.access(python, os.X_OK):
        raise ConfigError(
            f"engine.vllm.python '{python}' is no interpreter: build the environment with `make vllm-env`, name "
            "another that has vLLM, or set engine.vllm.url"
        )


def command(config: EngineConfig, checkpoint: Checkpoint, url: str, *, on_gpu: bool) -> list[str]:
    """Return the command line of a server."""
    settings = config.vllm
    options = {
        "model": str(checkpoint.base.resolve()),
        "served-model-name": NAME,
        "host": "127.0.0.1",
        "port": url.rpartition(":")[2],
        "dtype": served_dtype(settings, checkpoint),
        "generation-config": "vllm",
        "logprobs-mode": "raw_logprobs",
        "tensor-parallel-size": str(settings.num_gpus),
        "worker-extension-cls": "evotrainer_worker.UnpackedWeights",
    }
    if settings.max_model_tokens:
        options["max-model-len"] = str(settings.max_model_tokens)
    if on_gpu:
        options["gpu-memory-utilization"] = str(settings.gpu_memory_share)
    flags = ["--enable-prefix-caching"]
    if not on_gpu:
        flags.append("--no-enable-chunked-prefill")  # vLLM rewinds a seed's generator then, which a CPU's cannot
    if on_gpu and settings.sleep:
        flags.append("--enable-sleep-mode")
    if config.lora.rank:
        flags += ["--enable-lora", "--max-lora-rank", str(next(rank for rank in RANKS if rank >= config.lora.rank))]
    given = [part for name, value in options.items() for part in (f"--{name}", value)]
    module = ["-m", "vllm.entrypoints.openai.api_server"]
    return [str(CHECKOUT / settings.python), *module, *given, *flags, *settings.arguments]


def served_dtype(settings: VllmConfig, checkpoint: Checkpoint) -> str:
    """Return the type of the served weights; left to itself vLLM would serve a float32 checkpoint in 16 bits."""
    if settings.dtype != "auto":
        return settings.dtype
    config = read_model_config(checkpoint.base)
    own = checkpoint.dtype or str(config.get("dtype") or config.get("torch_dtype"))
    return own if own in ("float16", "bfloat16") else "float32"


def environment() -> dict[str, str]:
    """Return the server's environment: this one, without its Python path, and with what weight updates need.

    On a CPU a server would take nearly all memory for its cache, beside the process that trains.
    """
    own = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "VIRTUAL_ENV")}
    own.setdefault(
        "VLLM_CPU_KVCACHE_SPACE", str(max(1, psutil.virtual_memory().available // CPU_CACHE_PART // 1024**3))
    )
    return own | {
        "PYTHONPATH": str(_EXTENSION),
        "VLLM_SERVER_DEV_MODE": "1",  # the endpoints that reload weights, reset the cache and sleep
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1",
        "VLLM_NO_USAGE_STATS": "1",
        "HF_HUB_OFFLINE": "1",  # weights come from the directory alone
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
