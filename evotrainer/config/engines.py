"""Keys of the engines: what runs and what trains a policy, on which hardware. Protected: no factor names them."""

from dataclasses import dataclass, field

from evotrainer.config.limits import choice, number


@dataclass
class VllmConfig:
    """The vLLM server of `engine.rollout=vllm`: one that runs already (`url`), else one that is started (`python`)."""

    url: str = ""
    """Address of a running server, such as http://127.0.0.1:8000; empty: `python` starts one for each stage."""
    python: str = ""
    """Interpreter of an environment of its own that has vLLM: absolute, or relative to the checkout."""
    model: str = ""
    """The name under which `url` serves the policy; empty: the only one that it serves."""
    dtype: str = choice("auto", "float32", "bfloat16", "float16")
    """Type of the served weights; auto: the checkpoint's own. It also decides how exact the canary is."""
    sync: str = choice("auto", "reload", "restart")
    """How whole weights arrive: in place, by a restart, or (auto) by a restart where in place fails."""
    sleep: bool = False
    """Whether the server frees GPU memory while torch trains on the same GPU."""
    max_requests: int = number(256, 1, 65_536)
    """Requests in flight at a time; further ones wait."""
    request_seconds: float = number(600, 0.1, 86_400)
    """The longest wait for one completion; its episode is then lost, and counted."""
    start_seconds: float = number(900, 1, 86_400)
    """The longest wait for a server that is started."""
    max_model_tokens: int = number(0, 0, 16_777_216)
    """Prompt and completion of a server that is started; 0: as many as the policy allows."""
    gpu_memory_share: float = number(0.9, 0.01, 1)
    """The share of GPU memory that a server takes when it is started."""
    num_gpus: int = number(1, 1, 1024)
    """GPUs that share one copy of the policy (tensor parallelism) in a server that is started."""
    arguments: list[str] = field(default_factory=list)
    """Further arguments for the command line of a server that is started."""


@dataclass
class LoraConfig:
    """A low-rank adapter in place of training all weights; needs a policy of a person's own and peft."""

    rank: int = number(0, 0, 1024)
    """Rank of the two factors of each adapted layer; 0 trains all weights."""
    alpha: int = number(32, 1, 4096)
    """The adapter's product is scaled by alpha / rank."""
    dropout: float = number(0.0, 0, 0.9)
    """Share of an adapter's inputs that is zeroed in training; rollouts never drop any."""
    targets: list[str] = field(default_factory=list)
    """Names of the adapted layers, like q_proj; empty: every linear layer but the output."""


@dataclass
class EngineConfig:
    """What runs and what trains the policy."""

    rollout: str = "torch"
    """What samples a policy, by its name in evotrainer/engines/."""
    train: str = "torch"
    """What trains it, by its name in evotrainer/training/."""
    device: str = choice("auto", "cpu", "cuda")
    """auto: cuda where there is one, else cpu."""
    num_threads: int = number(1, 1, 1024)
    """Threads of one stage process; candidates train side by side, one a core."""
    batch_trajectories: int = number(512, 1, 1_000_000)
    """Trajectories generated at once."""
    micro_batch_trajectories: int = number(32, 1, 1_000_000)
    """Trajectories in one forward and backward pass."""
    vllm: VllmConfig = field(default_factory=VllmConfig)
    lora: LoraConfig = field(default_factory=LoraConfig)
