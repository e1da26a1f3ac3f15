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
    dtype: str = choice("auto", "float32", "bfloat16", "float16")
    """Type of the served weights; auto: the checkpoint's own. It also decides how exact the canary is."""
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
class OpenRLHFConfig:
    """Where and how OpenRLHF trains (engine.train=openrlhf); the recipe itself is in the other groups."""

    python: str = ""
    """Interpreter of an environment with openrlhf 0.11.2 and vLLM; on a cluster its path on every node."""
    worker_python: str = ""
    """Interpreter with this program, which plays the episodes beside each vLLM engine; empty: the present one."""
    ray_address: str = ""
    """Job server of a Ray cluster, http://HOST:8265; empty: a process on this machine."""
    num_nodes: int = number(1, 1, 4096)
    """Machines that train."""
    gpus_per_node: int = number(8, 1, 64)
    """GPUs a node that train."""
    context_tokens: int = number(0, 0)
    """Longest sequence, prompt and all turns; 0: what the model allows."""
    save_steps: int = number(10, 1, 1_000_000)
    """Steps between checkpoints. A run ends with the first checkpoint at or after its token budget."""
    poll_seconds: float = number(5.0, 0.05, 600)
    """Pause between two looks at the job."""
    arguments: list[str] = field(default_factory=list)
    """Flags of OpenRLHF with their values, which go before the chosen ones; the value false leaves a switch out."""


@dataclass
class EngineConfig:
    """What runs and what trains the policy."""

    rollout: str = "torch"
    """What samples a policy, by its name in evotrainer/engines/."""
    train: str = "torch"
    """What trains it, by its name in evotrainer/training/."""
    device: str = choice("auto", "cpu", "cuda")
    """auto: cuda where there is one, else cpu."""
    num_threads: int = number(1, 0, 1024)
    """Threads of one stage process, 0: one a core. Candidates train side by side, an embedded policy on one core."""
    compiled: bool = True
    """Sample an embedded policy in compiled code, on a CPU; false: by torch, with logprobs that differ by 1e-6."""
    batch_trajectories: int = number(512, 1, 1_000_000)
    """Trajectories generated at once."""
    micro_batch_tokens: int = number(1024, 1, 16_777_216)
    """Tokens in a forward and backward pass of a policy of one's own; a longer trajectory is a pass of its own."""
    precision: str = choice("float32", "bfloat16")
    """What weights are trained and stored in. The optimiser of bfloat16 weights keeps float32 copies."""
    optimiser: str = choice("adamw", "adamw_8bit", "adamw_cpu")
    """Where AdamW's moments lie: on the device, there in 8 bits (bitsandbytes), or in main memory."""
    gradient_checkpointing: bool = False
    """Compute each layer again in the backward pass in place of keeping what it computed."""
    attention: str = choice("auto", "flash_attention_2", "sdpa", "eager")
    """auto: flash_attention_2 on CUDA in bfloat16 where it is installed, else what transformers prefers."""
    check_memory: bool = True
    """Refuse to train a policy of a person's own where the estimate exceeds the free memory."""
    vllm: VllmConfig = field(default_factory=VllmConfig)
    lora: LoraConfig = field(default_factory=LoraConfig)
    openrlhf: OpenRLHFConfig = field(default_factory=OpenRLHFConfig)
