"""One server and the policy that it serves at the moment.

Several engines of a process share a server: each says before its requests which policy it means, and the server is
brought to serve that one. A server that was started here ends with this process. One at an address of a person's own
is used by one process at a time, since a process changes its weights; another waits.
"""

import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import torch
from filelock import FileLock, Timeout

from evotrainer.campaign.running import say
from evotrainer.config import Config, config_to_dict, content_hash
from evotrainer.engines import end_with_process
from evotrainer.engines.checkpoint import Checkpoint
from evotrainer.engines.policy import pick_device
from evotrainer.engines.torch_engine import load_policy
from evotrainer.engines.vllm import canary, completions
from evotrainer.engines.vllm.canary import Canary, Logprobs
from evotrainer.engines.vllm.client import ServerClient
from evotrainer.engines.vllm.process import ServerProcess, served_dtype
from evotrainer.errors import InfrastructureError, PolicyError, ServerLostError

_SERVERS: dict[str, "PolicyServer"] = {}


def shared_server(config: Config) -> "PolicyServer":
    """Return the process's server of this configuration; it is started, or connected to, when it is first needed."""
    key = content_hash([config_to_dict(config)["engine"], config.policy.path])
    if key not in _SERVERS:
        _SERVERS[key] = PolicyServer(config)
    return _SERVERS[key]


class PolicyServer:
    """A server, and which policy it serves."""

    def __init__(self, config: Config) -> None:
        self.settings, self._config = config.engine.vllm, config
        self.model, self.policy_id, self.max_tokens = "", "", 0
        self._root = self._adapter = self._dtype = ""
        self._client: ServerClient | None = None
        self._process: ServerProcess | None = None
        self._lock: FileLock | None = None
        self._passed: tuple[Canary, Logprobs] | None = None
        self._canaries: dict[str, Canary] = {}
        self._is_asleep = False

    @property
    def client(self) -> ServerClient:
        """The connection to the server."""
        assert self._client is not None, "serve() opens it"
        return self._client

    def serve(self, checkpoint: Checkpoint, policy_id: str, expected: Canary | None = None) -> None:
        """Return when the server serves the policy; raises PolicyError if it cannot be brought to it.

        Without the canary that is expected it is computed here, on the CPU.
        """
        if self._client is not None and not self._is_asleep and self.policy_id == policy_id:
            return
        if expected is None:
            expected = self._canaries.get(policy_id) or self._computed(checkpoint.path, policy_id)
        self._canaries[policy_id] = expected
        if self._client is None:
            self._open(checkpoint)
        if self._is_asleep:
            torch.cuda.empty_cache()  # what training holds but does not use, the server needs
            self.client.call("/wake_up")
            self._is_asleep = False
        if self.policy_id != policy_id:
            self._bring(expected, checkpoint)

    def rest(self) -> None:
        """Let the server free its GPU memory until it is needed; on a CPU there is nothing to free."""
        if self.settings.sleep and self._client is not None and not self._is_asleep and self._on_gpu():
            self.client.call("/sleep?level=1")
            self._is_asleep = True

    def close(self) -> None:
        """End the server if it was started here, else leave it as it is."""
        if self._client is not None:
            self._client.close()
        if self._process is not None:
            self._process.close()
        if self._lock is not None:
            self._lock.release()
        self._client = self._process = self._lock = self._passed = None
        self.policy_id, self._adapter, self._is_asleep = "", "", False

    def gone(self, error: ServerLostError) -> ServerLostError:
        """Return the error of a lost server, with the reason in its log where there is one."""
        is_own = self._process is not None and not self._process.is_alive()
        return self._process.gone() if self._process is not None and is_own else error

    def _open(self, checkpoint: Checkpoint) -> None:
        """Start a server with the policy, or connect to the configured one."""
        settings = self.settings
        if settings.sleep and not self._on_gpu():
            say("engine.vllm.sleep frees GPU memory: on a CPU it does nothing")
        self._dtype = served_dtype(settings, checkpoint)
        end_with_process(self.close)
        try:
            if settings.url:
                self._lock = _locked(settings.url)
            else:
                self._process = ServerProcess(self._config.engine, checkpoint, on_gpu=self._on_gpu())
            url = self._process.url if self._process else settings.url
            self._client = client = ServerClient(url, settings.max_requests, settings.request_seconds)
            if self._process is not None:
                client.watch = self._process.check
                self._process.wait_until_ready(client)
            models = client.call("/v1/models", method="GET").get("data", [])
            model = next((model for model in models if not model.get("parent")), None)
            if model is None:
                raise PolicyError(f"the server at {client.url} serves no model")
            self._root, self.max_tokens = model["id"], int(model.get("max_model_len") or 2**31)
        except BaseException:
            self.close()
            raise

    def _bring(self, expected: Canary, checkpoint: Checkpoint) -> None:
        """Deliver the weights by one way after the other, until the canary says that they are there."""
        objections: list[str] = []
        self.policy_id, self.model = "", self._root
        for way in self._ways(checkpoint):
            refusal = ""
            if way == "adapter":
                self.model = f"{self._root}-{expected.policy_id}"
                refusal = _load_adapter(self.client, checkpoint.path, self.model, self._adapter)
                self._adapter = self.model
            elif way == "reload":
                refusal = _reload(self.client, checkpoint.path)
            elif way == "restart":
                say(f"vLLM server starts again: {'; '.join(objections) or 'new weights'}")
                self.close()
                self._open(checkpoint)
            objection = refusal or self._objection(expected)
            if not objection:
                self.policy_id = expected.policy_id
                return
            objections.append(objection)
        remedy = f"its log is {self._process.log}" if self._process else "start it again with this policy"
        reasons = "; ".join(dict.fromkeys(objections))
        raise PolicyError(f"the vLLM server at {self.client.url} does not serve {checkpoint.path}: {reasons}: {remedy}")

    def _ways(self, checkpoint: Checkpoint) -> list[str]:
        """Return how weights may arrive, in order. A server that was just started here has whole ones."""
        if checkpoint.adapter is not None:
            return ["adapter"]
        is_new = self._process is not None and self._passed is None
        if is_new or self._config.engine.lora.rank:  # the base below all adapters of a campaign never changes
            return ["as is"]
        return ["reload", "as is" if self._process is None else "restart"]

    def _computed(self, path: Path, policy_id: str) -> Canary:
        on_cpu = replace(self._config, engine=replace(self._config.engine, device="cpu"))
        return canary.compute(load_policy(on_cpu, path), policy_id)

    def _objection(self, expected: Canary) -> str:
        """Return why the server does not serve what is expected, or nothing; remembers what passed."""
        bodies = canary.questions(expected, self.model)
        asked = [self.client.start(self.client.ask(completions.PATH, body)) for body in bodies]
        served = canary.answered([future.result() for future in asked])
        said = canary.objection(expected, served, self._passed, self._dtype)
        if not said:
            self._passed = expected, served
        return said

    def _on_gpu(self) -> bool:
        return pick_device(self._config.engine.device).type == "cuda"


def _reload(client: ServerClient, path: Path) -> str:
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


def _load_adapter(client: ServerClient, path: Path, name: str, former: str) -> str:
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


def _locked(url: str) -> FileLock:
    """Return the lock of the server at an address, held; waits for another process that uses it."""
    lock = FileLock(Path(tempfile.gettempdir()) / f"evotrainer-vllm-{content_hash(url)}.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say(f"waits for the vLLM server at {url}: another stage uses it")
        lock.acquire()
    return lock
